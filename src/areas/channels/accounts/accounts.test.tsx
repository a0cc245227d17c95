// Test of accounts where the server has no registration at the platforms.
import { within } from '@testing-library/react'
import { newOperator } from '#server/testing/test-app.ts'
import { paths } from '#src/lib/paths.ts'
import { region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('names platforms that are not set up in a sentence, and settings to operators only', async ({
  open,
  person,
  service,
}) => {
  await open(paths.channels(person.projectId, 'accounts'))
  const card = within(await region('Connect account'))
  await card.findByText(/^This server is not set up to connect accounts of .*Twitch.*\. Add their channels by key\.$/)
  expect(card.getByRole('link', { name: 'Add channel' })).toHaveAttribute(
    'href',
    paths.channels(person.projectId, 'add'),
  )
  expect(screen.queryByText(/TWITCH_CLIENT_ID/)).toBeNull()
  await open(`${paths.channels(person.projectId, 'add')}?platform=twitch`)
  await screen.findByText(/^Twitch sign-in is not set up on this server\./)
  expect(screen.queryByText(/TWITCH_CLIENT_ID/)).toBeNull()

  const operator = await newOperator(service)
  await open(paths.channels(operator.projectId, 'accounts'), operator)
  await screen.findByText(/^Set TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET/)
  await open(`${paths.channels(operator.projectId, 'add')}?platform=twitch`, operator)
  await screen.findByText(/^To enable it, set TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET/)
})
