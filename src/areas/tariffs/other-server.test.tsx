// Tests of the tariff page on another server that serves only the slots, with values unknown to this service.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { within } from '@testing-library/react'
import { paths } from '#src/lib/paths.ts'
import { remember } from '#src/lib/storage.ts'
import { region } from '#src/testing/find.ts'
import { expect, type PageFixtures, test as base } from '#src/testing/page-test.tsx'
import { tariffs } from '#src/testing/tariffs-page.ts'

interface OtherServer {
  readonly origin: string
  /** Sets the response of `plan_restream`; text is sent as it is. */
  readonly respond: (slots: unknown) => void
}

const day = 24 * 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

const test = base.extend<{ other: OtherServer; connect: () => Promise<void> }>({
  other: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures
    async ({}, use) => {
      let slots: unknown = {}
      const server = createServer((request, response) => {
        response.setHeader('content-type', 'application/json')
        const { pathname } = new URL(request.url ?? '/', 'http://upstream')
        if (pathname !== '/method/plan_restream') return response.writeHead(404).end('{}')
        return response.end(typeof slots === 'string' ? slots : JSON.stringify(slots))
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const { port } = server.address() as AddressInfo
      await use({ origin: `http://127.0.0.1:${port}`, respond: (next) => (slots = next) })
      server.closeAllConnections()
      server.close()
    },
    { scope: 'file' },
  ],
  /** Loads the tariff page of the other server. */
  connect: (
    { open, other }: PageFixtures & { other: OtherServer },
    use: (connect: () => Promise<void>) => Promise<void>,
  ) =>
    use(async () => {
      remember('server', other.origin)
      await open(paths.tariffs(7), { accessToken: 'an-access-token', refreshToken: 'a-refresh-token' })
    }),
})

const slotsCard = () => region('Plan of this project')

test('names plans by their ids and shows that there is no catalogue', async ({ connect, other }) => {
  other.respond({
    before: { id: 1, channel_max: 2, bitrate_max: 10_000, support_custom_channel: false, custom_video: 0 },
    current: { id: 4, channel_max: 0, bitrate_max: 0, custom_video: 3, date_end: inDays(3.01) },
    next: { id: 2, channel_max: 5, date_start: inDays(3.01), surprise: true },
  })
  await connect()
  const current = await tariffs.slot('Current')
  expect(current).toHaveTextContent('Plan 4')
  expect(tariffs.fact(current, 'Channels')).toHaveTextContent(/^0.*Less than in the previous plan: 2$/)
  expect(tariffs.fact(current, 'Bitrate')).toHaveTextContent(/^0\skbps/)
  expect(tariffs.fact(current, 'Custom RTMP addresses')).toHaveTextContent(/^Not reported$/)
  expect(tariffs.fact(current, 'Own video files')).toHaveTextContent('3')
  expect(current).toHaveTextContent('3 days left')
  expect(current).toHaveTextContent('then Plan 2')
  expect(tariffs.fact(await tariffs.slot('Next'), 'Starts')).toHaveTextContent('in 3 days')
  expect(await tariffs.catalogue()).toHaveTextContent('Could not load plans')
})

test('shows absent, null and empty slots, and an end that has passed', async ({ connect, other }) => {
  other.respond({ before: null, current: { id: 9, date_end: inDays(-14) }, next: {} })
  await connect()
  expect(await tariffs.slot('Previous')).toHaveTextContent('None')
  expect(await tariffs.slot('Current')).toHaveTextContent('Already ended')
  expect(tariffs.fact(await tariffs.slot('Current'), 'Ended')).toHaveTextContent('14 days ago')
  expect(await tariffs.slot('Next')).toHaveTextContent('Unknown plan')
  other.respond({})
  await connect()
  for (const name of ['Previous', 'Current', 'Next'] as const)
    expect(await tariffs.slot(name)).toHaveTextContent('None')
})

test('shows a response that does not fit, its problem, and a way to retry', async ({ connect, other, user }) => {
  other.respond({ current: { id: 'three', date_end: 'soon' } })
  await connect()
  await expect.poll(slotsCard).toHaveTextContent('Could not load this project’s plans')
  await user.click(within(await slotsCard()).getByText('Details'))
  expect(await slotsCard()).toHaveTextContent('current.id')
  expect(within(await slotsCard()).getByRole<HTMLTextAreaElement>('textbox').value).toMatch(/"date_end": "soon"/)
  expect(await tariffs.catalogue()).toBeVisible()

  other.respond({ current: { id: 3 } })
  await user.click(within(await slotsCard()).getByRole('button', { name: 'Retry' }))
  expect(await tariffs.slot('Current')).toHaveTextContent('Plan 3')
})

test('shows a response that is no JSON', async ({ connect, other, user }) => {
  other.respond('<html>Bad gateway</html>')
  await connect()
  await expect.poll(slotsCard).toHaveTextContent('Could not load this project’s plans')
  await user.click(within(await slotsCard()).getByText('Details'))
  expect(within(await slotsCard()).getByRole<HTMLTextAreaElement>('textbox').value).toMatch(/Bad gateway/)
})
