// Home while the service is unreachable: shows the last known state and marks it as such.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { paths } from '#src/lib/paths.ts'
import { liveLine, statusAt } from '#e2e/fixtures/live-line.ts'
import { expect, test } from '#e2e/fixtures/test.ts'

test('shows nothing green while the service is unreachable, and restores the page afterwards', async ({
  page,
  person,
  login,
  goto,
  watch,
}) => {
  await login()
  const line = await liveLine(page)
  let isThere = true
  await page.route(`**${broadcasts.status.path}?*`, (route) =>
    isThere ? route.fulfill({ json: statusAt(0) }) : route.abort(),
  )
  await goto(paths.home(person.projectId))
  await line.subscribed
  const rows = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  await expect(rows.first()).toContainText('live for')
  await expect(rows.last()).toContainText('Attempt 2 in')

  // Only the realtime connection is down: pages poll.
  await page.routeWebSocket(/\/connection\//, (socket) => socket.close())
  await line.drop()
  await expect(page.getByText('Live updates are off')).toBeAttached()
  await expect(rows.first()).toContainText('live for')

  watch.allow(/ERR_FAILED/)
  isThere = false
  await expect(rows.first().getByText('Last known: Live')).toBeVisible()
  await expect(rows.first()).not.toContainText('live for')
  await expect(rows.last().getByText('Last known: Retrying')).toBeVisible()
  await expect(rows.last()).not.toContainText('Attempt 2')
  await expect(page.getByText('Last known: 4 of 5 channels are live')).toBeVisible()

  isThere = true
  await expect(rows.first()).toContainText('live for')
  await expect(page.getByText('Last seen')).toHaveCount(0)
})
