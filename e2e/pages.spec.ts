// Every page: accessible (axe) in both themes, and no horizontal scrolling at 320 pixels.
import { paths } from '#src/lib/paths.ts'
import { problemsOf } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

const outside = [
  'root',
  'signIn',
  'callback',
  'invite',
  'channelInvite',
  'account',
  'help',
  'blog',
  'policy',
  'reference',
  'referenceGroup',
  'channel',
  'payment',
  'operator',
]

/** Every address of the dashboard behind sign-in. */
const pagesOf = (projectId: number): string[] => [
  ...Object.entries(paths)
    .filter(([name]) => !outside.includes(name))
    .map(([, path]) => (path as (id: number) => string)(projectId)),
  paths.tariffs(projectId, 'transcoding'),
  paths.tariffs(projectId, 'storage'),
  paths.billing(projectId, 'history'),
  paths.notifications(projectId, 'settings'),
  paths.notifications(projectId, 'webhooks'),
  paths.billing(projectId, 'cards'),
  paths.billing(projectId, 'payouts'),
  paths.billing(projectId, 'referrals'),
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
  `${paths.help()}?s=timeout`,
  paths.help('start/quality'),
  paths.help('trouble/channel-failed', 'timeout'),
  paths.blog(),
  paths.reference(),
  paths.referenceGroup('tariffs.restream'),
]

test('the sign-in page is accessible in both themes and fits a small phone', async ({ page }) => {
  await page.goto(paths.signIn())
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await problemsOf(page)).toEqual([])
})

/** Parts that spread the pages over workers. */
const parts = 3

for (let part = 0; part < parts; part++)
  test(`every page is accessible in both themes and fits a small phone, part ${part + 1}`, async ({
    page,
    person,
    login,
    goto,
  }) => {
    await login()
    for (const path of pagesOf(person.projectId).filter((_, index) => index % parts === part)) {
      await goto(path)
      expect.soft(await problemsOf(page), path).toEqual([])
      expect.soft(await page.title(), path).not.toBe('')
    }
  })
