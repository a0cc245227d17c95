// Tests of a plan that ends within a week: Plans and Home warn, unless it is renewed automatically.
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
  await expect.poll(() => slot.textContent).toContain('then it is renewed')
  expect(slot).not.toHaveTextContent(/then Free|Ends soon/)
  await open(paths.home(person.projectId))
  await screen.findByText('Your first broadcast')
  expect(screen.queryByText(/the free plan applies/)).toBeNull()
})
