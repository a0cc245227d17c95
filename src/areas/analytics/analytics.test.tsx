// Tests of analytics without broadcasts and with a failing service.
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { screen, test } from '#src/testing/page-test.tsx'

test('retries after a failure, and shows that there were no broadcasts', async ({ open, user, person, answer }) => {
  answer(analytics.broadcasts, () => Response.json({}, { status: 500 }))
  await open(paths.analytics(person.projectId))
  await screen.findByText('Could not load analytics')
  answer(analytics.broadcasts, null)
  await user.click(await button('Retry'))
  await screen.findByText('No broadcasts in this period')
})
