// Channels pages: accessibility, small phones, one thousand channels.
import { ChannelsPage } from '#e2e/pages/channels-page.ts'
import { paths } from '#src/lib/paths.ts'
import { axeInBothThemes, scrollsSideways } from './fixtures/accessible.ts'
import { addAll } from './fixtures/channels.ts'
import { mainThread, openLink } from './fixtures/main-thread.ts'
import { settled } from './fixtures/calls.ts'
import { expect, test } from './fixtures/test.ts'

test('is accessible and fits a small phone in every state, in both themes', async ({
  page,
  person,
  service,
  goto,
  follow,
  visit,
  watch,
}) => {
  watch.allow(/status of 400/)
  const seen = new ChannelsPage(page)
  const add = paths.channels(person.projectId, 'add')
  await page.setViewportSize({ width: 320, height: 640 })
  const holds = async (what: string) => {
    expect.soft(await axeInBothThemes(page), what).toEqual([])
    expect.soft(await scrollsSideways(page), what).toBe(false)
  }
  await visit(paths.channels(person.projectId))
  await expect(seen.list).toContainText('No channels yet')
  await holds('no channels')

  const [id = 0] = await addAll(service.url, person, ['First', 'Second', `Long ${'name '.repeat(20)}`])
  await goto(paths.channels(person.projectId))
  await page.getByRole('switch', { checked: false }).click()
  await expect(seen.list.getByRole('link', { name: 'Upgrade to' })).toBeVisible()
  await seen.choose('First')
  await holds('a list with a refusal and a choice')
  await seen.bulk.getByRole('button', { name: 'Title and description' }).click()
  await holds('the dialog of many')

  await follow(add)
  await holds('the platforms')
  for (const platform of ['twitch', 'kick', 'custom']) {
    await goto(`${add}?platform=${platform}`)
    await page.getByRole('button', { name: 'Add channel' }).click()
    await holds(`a form with mistakes: ${platform}`)
  }
  await follow(paths.channel(person.projectId, id))
  await expect(page.getByLabel('Stream key')).toBeVisible()
  await holds('one channel')
})

test(
  'a thousand channels: a page of them is light work',
  { tag: '@nightly' },
  async ({ page, person, service, visit }) => {
    const seen = new ChannelsPage(page)
    const nameOf = (index: number) => `Channel ${String(index).padStart(4, '0')}`
    for (let index = 0; index < 1000; index += 50)
      await addAll(
        service.url,
        person,
        Array.from({ length: 50 }, (_, offset) => nameOf(index + offset)),
      )
    await visit(paths.channels(person.projectId))
    await expect(seen.list).toContainText('1,000 channels')
    await expect(seen.list.getByRole('listitem')).toHaveCount(30)

    const thread = await mainThread(page)
    const costs: number[] = []
    const floors: number[] = []
    for (let round = 1; round <= 4; round++) {
      await settled(page)
      floors.push(await thread.floor())
      const range = `${round * 30 + 1}–${round * 30 + 30} of 1,000`
      costs.push(await thread.cost(() => openLink(page, 'a[rel=next]', ['main', range])))
      await expect(seen.list).toContainText(range)
    }
    expect(Math.min(...costs) / Math.min(...floors)).toBeLessThan(3)
  },
)
