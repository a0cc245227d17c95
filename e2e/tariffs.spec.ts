// The tariff page on the real service: quotes, questions, refusals, rights, keyboard, languages.
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { axe, scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { renew } from '#e2e/fixtures/person.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { TariffsPage } from '#e2e/pages/tariffs-page.ts'
import { join } from '#server/testing/members.ts'
import { paths } from '#src/lib/paths.ts'

const flexible = { plan_restream_id: 5, period: 'year' } as const

test.beforeEach(async ({ page, service, login }) => {
  await page.clock.setSystemTime(service.clock.now())
  await login()
})

test('a new project sees its free plan and what it can have', async ({ page, person, goto }) => {
  const tariffs = new TariffsPage(page)
  await goto(paths.tariffs(person.projectId))
  await expect(page).toHaveTitle(/Tariffs/)
  await expect(tariffs.slot('Before')).toContainText('No plan in this slot')
  await expect(tariffs.fact(tariffs.slot('Current'), 'Channels')).toHaveText('2')
  await expect(tariffs.fact(tariffs.slot('Current'), 'Bitrate')).toHaveText(/10,000\skbps 10\sMbps/)
  await expect(tariffs.fact(tariffs.slot('Current'), 'Custom channels')).toHaveText('No')
  await expect(tariffs.fact(tariffs.slot('Current'), 'Custom video')).toHaveText('0')
  await expect(tariffs.fact(tariffs.slot('Current'), 'Ends')).toHaveText('No end date')
  await expect(tariffs.catalogue.getByRole('article')).toHaveCount(5)
  await expect(tariffs.plan('Pro')).toContainText('$11.90')
  await tariffs.yearly()
  await expect(tariffs.plan('Pro')).toContainText('$128.52')
  await expect(page).toHaveURL(/period=year/)
})

test('the choice lives in the address', async ({ page, person, goto }) => {
  const tariffs = new TariffsPage(page)
  await goto(`${paths.tariffs(person.projectId)}?period=year&plan=5&channels=25&bitrate=20000`)
  await expect(tariffs.quote(/Flexible \(25 channels, 20,000\skbps\)/)).toContainText('for a year')
  await expect(tariffs.plan('Flexible').getByRole('spinbutton', { name: 'Number of channels' })).toHaveValue('25')
  await goto(`${paths.tariffs(person.projectId)}?plan=999&channels=-3&period=day`)
  await expect(tariffs.catalogue.getByRole('article')).toHaveCount(5)
})

test('a flexible plan is set by keyboard, in whole steps, and the quote follows', async ({
  page,
  person,
  goto,
  api,
}) => {
  const tariffs = new TariffsPage(page)
  await goto(paths.tariffs(person.projectId))
  const channels = tariffs.plan('Flexible').getByRole('slider', { name: 'Number of channels' })
  await channels.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const chosen = { project_id: person.projectId, plan_restream_id: 5, period: 'month', use_balance: 1 } as const
  const { results } = await api(restream.offers, { project_id: person.projectId })
  const offer = results.find((one) => one.plan_restream_id === 5)!
  const steps = offer.count_channel_min! + 2 * offer.count_channel_step!
  const quote = await api(restream.check, { ...chosen, channels: steps })
  const price = `$${(quote.tariff_price_month / 100).toFixed(2)}`
  await expect(tariffs.quote(/Flexible/)).toContainText(`costs ${price}.`)
  await expect(tariffs.plan('Flexible')).toContainText(price)
  await expect(page).toHaveURL(new RegExp(`channels=${steps}`))

  const typed = tariffs.plan('Flexible').getByRole('spinbutton', { name: 'Number of channels' })
  await typed.fill('9999')
  await typed.press('Enter')
  await expect(typed).toHaveValue(String(offer.count_channel_max))
  await expect(tariffs.plan('Flexible')).toContainText('9,999 is not available. Set to 100.')
  await typed.fill('12')
  await typed.press('Enter')
  await expect(tariffs.plan('Flexible')).toContainText('12 is not available. Set to 10.')

  await typed.fill('25')
  await typed.press('Enter')
  await expect(tariffs.plan('Flexible').getByRole('status').first()).toBeEmpty()
  await tariffs.choose('Pro')
  await expect(tariffs.quote('Pro')).toBeVisible()
  await tariffs.choose('Flexible')
  await tariffs.plan('Flexible').getByRole('button', { name: 'Chosen' }).click()
  await expect(tariffs.quote(/Flexible \(25 channels/)).toBeVisible()
  await expect(typed).toHaveValue('25')
})

test('the question repeats the quote; Escape keeps everything, and the focus comes back', async ({
  page,
  person,
  goto,
  api,
}) => {
  const tariffs = new TariffsPage(page)
  await goto(paths.tariffs(person.projectId))
  await tariffs.askFor('Start')
  const sentence = 'Start for a month costs $4.90. $4.90 comes from the balance. Nothing is left to pay. It starts now.'
  await expect(tariffs.dialog).toContainText(sentence)
  await expect(tariffs.quote('Start')).toContainText(sentence)
  await page.keyboard.press('Escape')
  await expect(tariffs.dialog).toBeHidden()
  await expect(tariffs.buyButton('Start')).toBeFocused()
  expect((await api(restream.slots, { project_id: person.projectId })).current?.id).toBe(1)
})

test('a price that changed in between is shown, and asked about again', async ({
  page,
  person,
  goto,
  api,
  service,
  watch,
}) => {
  watch.allow(/status of 40[01]/)
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 3, period: 'month' })
  const tariffs = new TariffsPage(page)
  await goto(paths.tariffs(person.projectId))
  await tariffs.askFor('Business')
  await expect(tariffs.dialog).toContainText('$11.90 comes back')

  service.clock.advance(3 * 24 * 3_600_000)
  await page.clock.setSystemTime(service.clock.now())
  await tariffs.confirm()
  await expect(tariffs.dialog).toContainText('Nothing has been bought')
  await expect(tariffs.dialog).not.toContainText('$11.90 comes back')
  const later = await renew(service.url, person)
  expect((await api(restream.slots, { project_id: person.projectId }, { as: later })).current?.id).toBe(3)

  await tariffs.confirm()
  await expect(tariffs.done('Bought')).toBeVisible()
  await expect(tariffs.slot('Current')).toContainText('Business')
})

test('a button that the balance does not reach stays in its place and says why', async ({ page, person, goto }) => {
  const tariffs = new TariffsPage(page)
  await goto(`${paths.tariffs(person.projectId)}?period=year&plan=4`)
  const button = tariffs.buyButton('Business')
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription('The balance of $180.00 does not cover it: $142.92 is missing.')
  await button.focus()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tariffs.dialog).toBeHidden()
})

test('money that was spent elsewhere in between: refused, and nothing is bought', async ({
  page,
  person,
  goto,
  api,
  watch,
}) => {
  watch.allow(/status of 400/)
  const tariffs = new TariffsPage(page)
  await goto(`${paths.tariffs(person.projectId)}?period=year`)
  await tariffs.askFor('Pro')
  // Flexible is higher: Pro would now wait for its end, at the same price, and the purse is nearly empty.
  await api(restream.buy, { project_id: person.projectId, ...flexible })
  await tariffs.confirm()
  await expect(tariffs.dialog).toContainText('The balance no longer covers it. Nothing has been bought.')
  expect((await api(restream.slots, { project_id: person.projectId })).next).toBeNull()
})

test('a viewer sees everything, and is told whom to ask', async ({ page, person, another, service, goto, api }) => {
  const owner = await another({ name: 'Maria' })
  const { results } = await api(projects.list, {})
  await join(service.app, { projectId: owner.projectId, userId: results[0]!.user_id, accessType: 0 })
  await api(restream.buy, { project_id: owner.projectId, plan_restream_id: 3, period: 'month' }, { as: owner })
  await api(restream.buy, { project_id: owner.projectId, plan_restream_id: 2, period: 'month' }, { as: owner })

  const tariffs = new TariffsPage(page)
  await goto(paths.tariffs(owner.projectId))
  await expect(tariffs.slot('Next')).toContainText('Start')
  await expect(tariffs.cancelNext).toHaveAttribute('aria-disabled', 'true')
  await expect(tariffs.cancelNext).toHaveAccessibleDescription(/Ask Maria/)
  await tariffs.choose('Business')
  await expect(tariffs.quote('Business')).toContainText('comes back for the unused part')
  await expect(tariffs.buyButton('Business')).toHaveAttribute('aria-disabled', 'true')
  await expect(tariffs.buyButton('Business')).toHaveAccessibleDescription(/Ask Maria/)
  expect(person.projectId).not.toBe(owner.projectId)
})

test('the exact time is there on focus, and goes away with Escape', async ({ page, person, goto, api }) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 3, period: 'month' })
  const tariffs = new TariffsPage(page)
  await goto(paths.tariffs(person.projectId))
  const ends = tariffs.fact(tariffs.slot('Current'), 'Ends')
  await expect(ends).toContainText(/in \d+ days/)
  await ends.getByRole('button').focus()
  await expect(ends.getByRole('tooltip')).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? UTC$/)
  await page.keyboard.press('Escape')
  await expect(ends.getByRole('tooltip')).toBeHidden()
})

test('the other product lines say that they are not served yet, and what belongs to them', async ({
  page,
  person,
  goto,
}) => {
  for (const [line, route] of [
    ['Transcoding', 'GET plan_transcoding/check'],
    ['Storage', 'GET plan_storage/check'],
  ] as const) {
    await goto(paths.tariffs(person.projectId))
    await page.getByRole('link', { name: line }).click()
    await expect(page.getByRole('heading', { name: line })).toBeVisible()
    await page.getByRole('group').getByText('operations').click()
    await expect(page.getByText(route)).toBeVisible()
  }
})

test('fit for everybody: axe in both themes, no scrolling sideways at 320 pixels', async ({
  page,
  person,
  goto,
  api,
}) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 3, period: 'month' })
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  const tariffs = new TariffsPage(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await goto(`${paths.tariffs(person.projectId)}?plan=4`)
    await expect(tariffs.quote('Business')).toContainText('costs')
    expect(await axe(page)).toEqual([])
    await tariffs.buyButton('Business').click()
    expect(await axe(page)).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 700 })
  await goto(`${paths.tariffs(person.projectId)}?plan=5`)
  await expect(tariffs.quote(/Flexible/)).toContainText('costs')
  expect(await scrollsSideways(page)).toBe(false)
})
