// A plan's life with every balance checked to the cent: purchase, upgrade, queued and cancelled downgrade, end of period.
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { renew } from '#e2e/fixtures/person.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { TariffsPage } from '#e2e/pages/tariffs-page.ts'
import { paths } from '#src/lib/paths.ts'

const hour = 3_600_000
const day = 24 * hour
// List prices of a month, in cents; the bonus of a new project.
const [bonus, start, pro, business] = [18_000, 490, 1_190, 2_990]
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

test('buy, upgrade, queue a downgrade, cancel it, let the period end', async ({
  page,
  person,
  service,
  goto,
  api,
  watch,
  visit,
}) => {
  // A clock jump ends access tokens; the refusals before the silent refresh appear in the console.
  watch.allow(/status of 401/)
  const { projectId } = person
  const tariffs = new TariffsPage(page)
  let me = person
  const slots = () => api(restream.slots, { project_id: projectId }, { as: me })
  const holds = async (cents: number) => {
    await expect(tariffs.balance).toContainText(dollars(cents))
    const { data } = await api(projects.info, { project_id: projectId }, { as: me })
    expect(data.balance_bonus + data.balance_payment + data.balance_profit).toBe(cents)
  }
  const move = async (ms: number) => {
    service.clock.advance(ms)
    await page.clock.setSystemTime(service.clock.now())
    me = await renew(service.url, me)
  }

  await page.clock.setSystemTime(service.clock.now())
  await visit(paths.tariffs(projectId))
  await expect(tariffs.slot('Current')).toContainText('Free')
  await holds(bonus)

  await test.step('buys Pro for a month', async () => {
    await tariffs.buy('Pro')
    await expect(tariffs.done('Bought')).toContainText(
      `You paid ${dollars(pro)} for one month of Pro. ${dollars(pro)} was paid from your balance. It started just now.`,
    )
    await expect(tariffs.slot('Current')).toContainText('Pro')
    await expect(tariffs.slot('Previous')).toContainText('Free')
    await expect(tariffs.slot('Current')).toContainText('then Free')
    await holds(bonus - pro)
  })

  let left = bonus - pro
  await test.step('upgrades to Business ten days later: refunds the remaining hours of Pro', async () => {
    const { current } = await slots()
    const [from, to] = [service.clock.now().getTime(), Date.parse(current?.date_end ?? '')]
    await move(10 * day)
    const refund = Math.floor((pro * (to - from - 10 * day)) / (to - from))
    left += refund - business
    await page.reload()
    await tariffs.askFor('Business')
    await expect(tariffs.dialog).toContainText(`You get ${dollars(refund)} back for the unused part`)
    await tariffs.confirm()
    await expect(tariffs.slot('Current')).toContainText('Business')
    await expect(tariffs.slot('Previous')).toContainText('Pro')
    await holds(left)
  })

  await test.step('queues Start for the end of the period', async () => {
    await tariffs.askFor('Start')
    await expect(tariffs.dialog).toContainText('Switch to Start when this period ends?')
    await tariffs.confirm()
    await expect(tariffs.slot('Next')).toContainText('Start')
    await expect(tariffs.slot('Current')).toContainText('then Start')
    await expect(tariffs.fact(tariffs.slot('Next'), 'Channels')).toContainText('Less than in the previous plan: 30')
    await holds(left - start)
  })

  await test.step('cancels it after a preview of the refund', async () => {
    await expect(tariffs.slot('Next')).toContainText(`${dollars(start)} goes back to your balance`)
    await tariffs.cancelNext.click()
    await expect(tariffs.dialog).toContainText(`${dollars(start)} goes back to your balance`)
    await tariffs.confirm()
    await expect(tariffs.done('Cancelled')).toBeVisible()
    await expect(tariffs.slot('Next')).toContainText('None')
    await holds(left)
  })

  await test.step('queues it again, and ends the period: Start runs, then Free', async () => {
    await tariffs.buy('Start')
    const { current } = await slots()
    await move(Date.parse(current?.date_end ?? '') - service.clock.now().getTime() - 3 * day)
    await page.reload()
    await expect(tariffs.slot('Current')).toContainText('3 days left')
    await expect(tariffs.slot('Current')).toContainText('Ends soon')

    await move(3 * day)
    await page.reload()
    await expect(tariffs.slot('Previous')).toContainText('Business')
    await expect(tariffs.slot('Current')).toContainText('Start')
    await expect(tariffs.slot('Next')).toContainText('None')

    const { current: last } = await slots()
    await move(26 * day)
    await page.reload()
    await expect(tariffs.slot('Current')).toContainText('Start')
    await goto(paths.home(projectId))
    await expect(page.getByText(/Your plan ends in [345] days, on .* After that, the free plan applies/)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'View plans' }).first().click()
    await move(Date.parse(last?.date_end ?? '') - service.clock.now().getTime())
    await page.reload()
    await expect(tariffs.slot('Previous')).toContainText('Start')
    await expect(tariffs.slot('Current')).toContainText('Free')
    await holds(left - start)
  })
})
