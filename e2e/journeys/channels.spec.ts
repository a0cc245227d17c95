// Channels by keyboard: three channels, the limit of the free tariff, a better plan, a fourth channel.
import { channels } from '#contract/areas/channels/channels.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { ChannelsPage } from '#e2e/pages/channels-page.ts'
import { TariffsPage } from '#e2e/pages/tariffs-page.ts'
import { paths } from '#src/lib/paths.ts'

test('adds channels by keyboard alone, hits the tariff limit, upgrades, and adds a fourth', async ({
  page,
  person,
  api,
  watch,
  visit,
}) => {
  // The refusal of the third channel appears in the console.
  watch.allow(/status of 400/)
  const seen = new ChannelsPage(page)
  const tariffs = new TariffsPage(page)
  const on = async () => (await api(channels.search, { project_id: person.projectId, type: 'active' })).total

  await visit(paths.channels(person.projectId))
  await expect(seen.list).toContainText('No channels yet')

  await test.step('adds three channels without a mouse', async () => {
    for (const platform of ['Twitch', 'YouTube', 'Facebook']) {
      await seen.addByKeyboard(platform, `live_${platform}_secret`)
      await expect(seen.row(platform)).toBeVisible()
    }
    await expect(seen.switchOf('Twitch')).toBeChecked()
    await expect(seen.switchOf('YouTube')).toBeChecked()
    await expect(seen.switchOf('Facebook'), 'the free plan has two').not.toBeChecked()
    await expect(seen.list).toContainText('2 of 2 channels in use')
  })

  await test.step('refuses to enable the third: names the limit and the plan that lifts it', async () => {
    await seen.switchOf('Facebook').click()
    await expect(seen.refusal('Facebook')).toContainText('Facebook stays off. Your plan allows 2 channels at once.')
    await expect(seen.switchOf('Facebook')).not.toBeChecked()
    expect(await on()).toBe(2)
  })

  await test.step('links to that plan, and selects it there', async () => {
    await seen.refusal('Facebook').getByRole('link', { name: 'Upgrade to Start' }).click()
    await tariffs.buyButton('Start').and(page.locator('[aria-disabled=false]')).click()
    await tariffs.confirm()
    await expect(tariffs.done('Bought')).toBeVisible()
  })

  await test.step('enables the third, and adds the fourth enabled', async () => {
    await page.getByRole('link', { name: 'Channels', exact: true }).first().click()
    await seen.switchOf('Facebook').click()
    await expect(seen.switchOf('Facebook')).toBeChecked()
    await expect(seen.list).toContainText('3 of 5 channels in use')
    await seen.addByKeyboard('Trovo', 'live_trovo_secret')
    await expect(seen.switchOf('Trovo')).toBeChecked()
    expect(await on()).toBe(4)
  })
})
