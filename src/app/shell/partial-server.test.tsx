// Tests of the dashboard on another server that serves two operations of the contract and nothing else.
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { within } from '@testing-library/react'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paths } from '#src/lib/paths.ts'
import { remember } from '#src/lib/storage.ts'
import { button, region } from '#src/testing/find.ts'
import { expect, type PageFixtures, screen, test as base } from '#src/testing/page-test.tsx'

const served: readonly string[] = [restream.slots.path, restream.offers.path]

/** A server that passes two operations on to the real service, and knows no other path. */
const test = base.extend<{ partial: string }>({
  partial: [
    async ({ service }: PageFixtures, use: (origin: string) => Promise<void>) => {
      const server = createServer((request, response) => {
        const { pathname, search } = new URL(request.url ?? '/', service.url)
        if (!served.includes(pathname)) {
          const text = JSON.stringify({ statusCode: 404, message: `Cannot ${request.method} ${pathname}` })
          return void response.writeHead(404, { 'content-type': 'application/json' }).end(text)
        }
        const { method, headers } = request
        const onward = send(new URL(pathname + search, service.url), { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        onward.on('error', () => response.destroy())
        request.pipe(onward)
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      server.closeAllConnections()
      server.close()
    },
    { scope: 'file' },
  ],
})

test('shows only the pages that the server has operations for', async ({ open, person, partial }) => {
  remember('server', partial)
  await open(paths.tariffs(person.projectId))
  const plan = within(await region('Plan of this project'))
  await plan.findByText('Free')
  const rail = within(screen.getAllByRole('navigation', { name: 'Pages' })[0] ?? document.body)
  const entries = () => rail.queryAllByRole('link').map(({ textContent }) => textContent)
  await expect.poll(entries).toEqual(['Plans & billing'])
  expect(screen.queryByRole('button', { name: /^Notifications/ })).toBeNull()
  // Other lines of plans, without operations, are left out: their tabs and their rows.
  await expect.poll(() => screen.queryAllByText(/Transcoding|Storage/)).toEqual([])
  expect(document.body).not.toHaveTextContent('…')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('offers no retry of an operation that the server does not have', async ({ open, person, partial }) => {
  remember('server', partial)
  await open(paths.broadcasts(person.projectId))
  await screen.findAllByText('Not available on this server.')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('says that the server has no sign-in page, not that it may work later', async ({ open, user, partial }) => {
  remember('server', partial)
  await open(paths.signIn(), null)
  await user.click(await button('Sign in'))
  await screen.findByText(/^This server does not offer a sign-in page\./)
  expect(screen.queryByText(/a little later/)).toBeNull()
})
