// Tests of renewals on Plans and Home: a plan that ends within a week, what the next renewal will do, and its switch.
import { within } from '@testing-library/react'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { dayMs } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, type PageFixtures, screen, test } from '#src/testing/page-test.tsx'
import { tariffs } from '#src/testing/tariffs-page.ts'

/** Leaves the project with a plan of which five days are left. */
async function endingPlan({ person, api, service }: Pick<PageFixtures, 'person' | 'api' | 'service'>) {
  const { projectId: project_id } = person
  await api(restream.buy, { project_id, plan_restream_id: 2, period: 'month' })
  const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
  const dates = { date_start: at(-25), date_end: at(5) }
  const { db } = service.app
  const terms = db.selectFrom('plan_terms').select('id').where('project_id', '=', project_id)
  await db.updateTable('plan_periods').set(dates).where('term_id', 'in', terms).execute()
  await db.updateTable('plan_terms').set(dates).where('project_id', '=', project_id).execute()
}

test('warns of the end of a plan without renewal', async ({ open, person, api, service }) => {
  await endingPlan({ person, api, service })
  await open(paths.tariffs(person.projectId))
  const slot = await tariffs.slot('Current')
  await expect.poll(() => slot.textContent).toMatch(/Ends soon.*then Free/)
  await open(paths.home(person.projectId))
  await screen.findByText(/Your plan ends in 5 days, .* After that, the free plan applies/)
})

test('says that a plan is renewed instead of that it ends', async ({ open, person, api, service }) => {
  await endingPlan({ person, api, service })
  await api(restream.prolongation, { project_id: person.projectId, enabled: true })
  await open(paths.tariffs(person.projectId))
  const slot = await tariffs.slot('Current')
  await expect.poll(() => slot.textContent).toContain('renewal is on')
  expect(slot).not.toHaveTextContent(/then Free|Ends soon/)
  await open(paths.home(person.projectId))
  await screen.findByText('Your first broadcast')
  expect(screen.queryByText(/the free plan applies/)).toBeNull()
})

const setBalance = (service: PageFixtures['service'], projectId: number, payment_minor: number) =>
  service.app.db
    .updateTable('wallets')
    .set({ bonus_minor: 0, payment_minor, profit_minor: 0 })
    .where('project_id', '=', projectId)
    .execute()

test('switches the renewal, and says when the money will not be enough', async ({
  open,
  user,
  person,
  api,
  service,
}) => {
  await endingPlan({ person, api, service })
  await setBalance(service, person.projectId, 100)
  await open(paths.tariffs(person.projectId))
  const slot = await tariffs.slot('Current')
  await within(slot).findByText(/^No automatic renewal\. The plan ends on .*, and nothing is charged\.$/)
  await user.click(await within(slot).findByRole('switch', { name: 'Renew automatically' }))
  await within(slot).findByText(
    /^Not enough for the renewal of \$4\.90 on .*: \$3\.90 is missing\. Top up, or save a payment method\. Otherwise/,
  )
  const method = {
    provider: 'stripe',
    token_sealed: 'sealed',
    token_hash: 'a',
    expires: null,
    date_create: '',
  } as const
  await service.app.db
    .insertInto('payment_methods')
    .values({ ...method, project_id: person.projectId, title: 'Visa •••• 4242', is_default: 1 })
    .execute()
  await open(paths.home(person.projectId))
  await open(paths.tariffs(person.projectId))
  await screen.findByText(/for \$4\.90: \$1\.00 from the balance, \$3\.90 from Visa •••• 4242\.$/)
  expect((await api(restream.slots, { project_id: person.projectId })).current?.id).toBe(2)
})

test('shows a debt on Plans and Home, with a link that tops up its amount', async ({ open, person, api, service }) => {
  await endingPlan({ person, api, service })
  await api(restream.prolongation, { project_id: person.projectId, enabled: true })
  const { projectId } = person
  await setBalance(service, projectId, 0)
  await service.app.db.updateTable('wallets').set({ debt_minor: 400 }).where('project_id', '=', projectId).execute()
  for (const page of [paths.home(projectId), paths.tariffs(projectId, 'storage'), paths.tariffs(projectId)]) {
    await open(page)
    const note = await screen.findByText(/^Your project owes \$4\.00\./)
    expect(within(note).getByRole('link', { name: 'Top up' })).toHaveAttribute(
      'href',
      `${paths.billing(projectId)}?amount=4`,
    )
  }
  await screen.findByText(/^Will not renew while the project has a debt\. Pay it before /)
})
