// The tariff page in a browser: sliders by keyboard, accessibility and small screens.
import { restream } from '#contract/areas/tariffs/restream.ts'
import { axeInBothThemes, scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { TariffsPage } from '#e2e/pages/tariffs-page.ts'
import { paths } from '#src/lib/paths.ts'

test.beforeEach(({ page, service }) => page.clock.setSystemTime(service.clock.now()))

test('sets a flexible plan by keyboard in whole steps, and updates the quote', async ({ page, person, visit, api }) => {
  const tariffs = new TariffsPage(page)
  await visit(paths.tariffs(person.projectId))
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
  await tariffs.plan('Flexible').getByRole('button', { name: 'Selected' }).click()
  await expect(tariffs.quote(/Flexible \(25 channels/)).toBeVisible()
  await expect(typed).toHaveValue('25')
})

test('is accessible in both themes, returns focus from the question, and fits 320 pixels', async ({
  page,
  person,
  goto,
  visit,
  api,
}) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 3, period: 'month' })
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  const tariffs = new TariffsPage(page)
  await visit(`${paths.tariffs(person.projectId)}?plan=4`)
  await expect(tariffs.quote('Business')).toContainText('costs')
  expect(await axeInBothThemes(page)).toEqual([])
  await tariffs.buyButton('Business').click()
  expect(await axeInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(tariffs.buyButton('Business')).toBeFocused()
  await page.setViewportSize({ width: 320, height: 700 })
  await goto(`${paths.tariffs(person.projectId)}?plan=5`)
  await expect(tariffs.quote(/Flexible/)).toContainText('costs')
  expect(await scrollsSideways(page)).toBe(false)
})
