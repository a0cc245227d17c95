// What holds for every page: it can be used by everybody (axe, in both themes), and it fits a small phone.
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

const outside = [
  'root',
  'signIn',
  'callback',
  'invite',
  'channelInvite',
  'account',
  'help',
  'reference',
  'referenceGroup',
  'channel',
]

/** Every address of the dashboard behind sign-in. */
const pagesOf = (projectId: number): string[] => [
  ...Object.entries(paths)
    .filter(([name]) => !outside.includes(name))
    .map(([, path]) => (path as (id: number) => string)(projectId)),
  paths.tariffs(projectId, 'transcoding'),
  paths.ingest(projectId, 'pull'),
  paths.ingest(projectId, 'transcoders'),
  paths.project(projectId, 'members'),
  paths.project(projectId, 'history'),
  paths.channels(projectId, 'accounts'),
  paths.channels(projectId, 'shared'),
  paths.channels(projectId, 'add'),
  paths.account(),
  paths.account('sessions'),
  paths.account('socials'),
  paths.help(),
  paths.reference(),
  paths.referenceGroup('tariffs.restream'),
]

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme })

    test('every page is accessible', async ({ page, person, login, goto, watch }) => {
      await page.goto(paths.signIn())
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect.soft(await axe(page), paths.signIn()).toEqual([])
      await login()
      for (const path of pagesOf(person.projectId)) {
        await goto(path)
        await page.waitForLoadState('networkidle')
        expect.soft(await axe(page), path).toEqual([])
        expect.soft(await page.title(), path).not.toBe('')
      }
      expect(watch.problems()).toEqual([])
    })
  })
}

test.describe('on a phone of 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('no page scrolls sideways', async ({ page, person, login, goto }) => {
    await page.goto(paths.signIn())
    expect.soft(await scrollsSideways(page), paths.signIn()).toBe(false)
    await login()
    for (const path of pagesOf(person.projectId)) {
      await goto(path)
      await page.waitForLoadState('networkidle')
      expect.soft(await scrollsSideways(page), path).toBe(false)
    }
  })
})
