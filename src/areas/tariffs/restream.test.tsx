// Tests of the tariff page: quotes, confirmations, errors, rights.
import { within } from '@testing-library/react'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paths } from '#src/lib/paths.ts'
import { confirm, dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'
import { tariffs } from '#src/testing/tariffs-page.ts'
import { newPromo } from '#server/testing/promos.ts'

const flexible = { plan_restream_id: 5, period: 'year' } as const
const day = 24 * 3_600_000

test('shows the free plan and the catalogue to a new project', async ({ open, user, person }) => {
  await open(paths.tariffs(person.projectId))
  expect(await tariffs.slot('Previous')).toHaveTextContent('None')
  const current = await tariffs.slot('Current')
  await expect.poll(() => document.title).toMatch(/Plans/)
  expect(tariffs.fact(current, 'Channels')).toHaveTextContent(/^2$/)
  expect(tariffs.fact(current, 'Bitrate')).toHaveTextContent(/^10,000\skbps$/)
  expect(tariffs.fact(current, 'Custom RTMP addresses')).toHaveTextContent(/^No$/)
  expect(current).not.toHaveTextContent('Own video files')
  expect(tariffs.fact(current, 'Ends')).toHaveTextContent('No end date')
  expect(within(current).getAllByText('No end date')).toHaveLength(1)
  expect(current).not.toHaveTextContent(/\bID\b/)
  const others = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  await expect.poll(others).toContain('Storage No additional space')
  await expect.poll(async () => within(await tariffs.catalogue()).queryAllByRole('article')).toHaveLength(5)
  expect(await tariffs.plan('Pro')).toHaveTextContent('$11.90')
  await user.click(within(await tariffs.catalogue()).getByText('Yearly'))
  await expect.poll(async () => (await tariffs.plan('Pro')).textContent).toContain('$128.52')
  expect(location.search).toContain('period=year')
})

test('reads the choice from the URL and ignores invalid values', async ({ open, person }) => {
  await open(`${paths.tariffs(person.projectId)}?period=year&plan=5&channels=25&bitrate=20000`)
  await expect
    .poll(async () => (await tariffs.quote(/Flexible \(25 channels, 20,000\skbps\)/)).textContent)
    .toContain('for a year')
  const channels = within(await tariffs.plan('Flexible')).getByRole('spinbutton', { name: 'Number of channels' })
  expect(channels).toHaveValue(25)
  await open(`${paths.tariffs(person.projectId)}?plan=999&channels=-3&period=day`)
  await expect.poll(async () => within(await tariffs.catalogue()).queryAllByRole('article')).toHaveLength(5)
})

test('repeats the quote for confirmation, and Escape buys nothing', async ({ open, user, person, api }) => {
  await open(paths.tariffs(person.projectId))
  await tariffs.askFor(user, 'Start')
  const sentence = 'Start for a month costs $4.90. $4.90 is paid from your balance. Nothing left to pay. It starts now.'
  expect(await dialog()).toHaveTextContent(sentence)
  expect(await tariffs.quote('Quote for Start')).toHaveTextContent(sentence)
  await user.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect((await api(restream.slots, { project_id: person.projectId })).current?.id).toBe(1)
})

test('takes a promo code off the price, and says at its field why one does not work', async ({
  open,
  user,
  fill,
  person,
  api,
  service,
}) => {
  await newPromo(service.app.db, 'FIFTH', { type: 'percent', percent: 20, amounts: {} })
  await open(paths.tariffs(person.projectId))
  await tariffs.choose(user, 'Pro')
  const quote = await tariffs.quote('Quote for Pro')
  await user.click(within(quote).getByRole('button', { name: 'Promo code' }))
  await fill('Promo code', 'NOTHING')
  await user.click(within(quote).getByRole('button', { name: 'Use code' }))
  await expect
    .poll(() => within(quote).getByLabelText('Promo code'))
    .toHaveAccessibleDescription('There is no such code.')
  await fill('Promo code', 'fifth')
  await user.click(within(quote).getByRole('button', { name: 'Use code' }))
  await within(quote).findByText(/^Promo code fifth: −\$2\.38/)
  expect(quote).toHaveTextContent('Pro for a month costs $9.52.')
  await user.click(within(quote).getByRole('button', { name: /^Buy Pro for \$9\.52/ }))
  await confirm(user)
  await region('Bought')
  expect((await api(restream.slots, { project_id: person.projectId })).current?.id).toBe(3)
  expect(location.search).not.toContain('code')
})

test('shows a price that changed since the quote and requires a new confirmation', async ({
  open,
  user,
  person,
  api,
  service,
}) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 3, period: 'month' })
  await open(paths.tariffs(person.projectId))
  await tariffs.askFor(user, 'Business')
  await expect.poll(async () => (await dialog()).textContent).toContain('You get $11.90 back')

  service.clock.advance(3 * day)
  await confirm(user)
  await expect.poll(async () => (await dialog()).textContent).toContain('Nothing has been bought')
  expect(await dialog()).not.toHaveTextContent('You get $11.90 back')
  const later = await service.signIn(person)
  expect((await api(restream.slots, { project_id: person.projectId }, later)).current?.id).toBe(3)

  await confirm(user)
  await region('Bought')
  await expect.poll(async () => (await tariffs.slot('Current')).textContent).toContain('Business')
  service.clock.set(new Date())
})

test('disables the button with a reason when the balance is too low', async ({ open, user, person }) => {
  await open(`${paths.tariffs(person.projectId)}?period=year&plan=4`)
  const button = within(await tariffs.quote('Quote for Business')).getByRole('button', { name: /^(Calculating|Buy)/ })
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
  await expect.poll(() => button).toHaveAccessibleDescription('Balance too low ($180.00): $142.92 more needed.')
  button.focus()
  expect(button).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('refuses a purchase when the balance was spent elsewhere', async ({ open, user, person, api }) => {
  await open(`${paths.tariffs(person.projectId)}?period=year`)
  await tariffs.askFor(user, 'Pro')
  // Flexible is higher: Pro is now queued at the same price, and the balance is nearly empty.
  await api(restream.buy, { project_id: person.projectId, ...flexible })
  await confirm(user)
  await expect
    .poll(async () => (await dialog()).textContent)
    .toContain('Your balance is now too low. Nothing has been bought.')
  expect((await api(restream.slots, { project_id: person.projectId })).next).toBeNull()
})

test('shows a viewer the whole page and names the owner to contact', async ({
  open,
  user,
  person,
  another,
  service,
  api,
}) => {
  const owner = await another('Maria')
  await service.join(person, owner.projectId, 0)
  await api(restream.buy, { project_id: owner.projectId, plan_restream_id: 3, period: 'month' }, owner)
  await api(restream.buy, { project_id: owner.projectId, plan_restream_id: 2, period: 'month' }, owner)

  await open(paths.tariffs(owner.projectId))
  await expect.poll(async () => (await tariffs.slot('Next')).textContent).toContain('Start')
  const cancel = await screen.findByRole('button', { name: 'Cancel next plan' })
  expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(() => cancel).toHaveAccessibleDescription(/Ask Maria/)
  await tariffs.choose(user, 'Business')
  const quote = await tariffs.quote('Quote for Business')
  await expect.poll(() => quote.textContent).toContain('back for the unused part')
  const buy = within(quote).getByRole('button')
  expect(buy).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(() => buy).toHaveAccessibleDescription(/Ask Maria/)
})

test('shows the exact time on focus and hides it on Escape', async ({ open, user, person, api }) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 3, period: 'month' })
  await open(paths.tariffs(person.projectId))
  const ends = tariffs.fact(await tariffs.slot('Current'), 'Ends')
  expect(ends).toHaveTextContent(/in \d+ days/)
  within(ends).getByRole('button').focus()
  expect(await within(ends).findByRole('tooltip')).toHaveTextContent(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? UTC$/)
  await user.keyboard('{Escape}')
  await expect.poll(() => within(ends).queryByRole('tooltip')).toBeNull()
})
