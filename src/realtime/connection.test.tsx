// The realtime connection of a page whose permission ends and returns, with the hub of the real service.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, vi } from 'vitest'
import { members } from '#contract/areas/projects/members.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import type { Person } from '#server/testing/test-app.ts'
import { configureApi } from '#src/api/runtime.ts'
import { HttpError } from '#src/session/errors.ts'
import { expect, test as base } from '#src/testing/page-test.tsx'
import { connectRealtime } from './connection.ts'
import type { RealtimeStatus } from './store.ts'

interface Connection {
  readonly status: () => RealtimeStatus | undefined
  /** Number of requests for a connection token. */
  readonly asked: () => number
  /** Refuses all requests for tokens, or forwards them to the service. */
  readonly refuse: (value: boolean) => void
}

const test = base.extend<{ connect: (as: Person, projectId: number) => Connection }>({
  connect: async ({ service }, use) => {
    let stop = () => {}
    await use((as, project_id) => {
      let status: RealtimeStatus | undefined
      let asked = 0
      let isRefused = false
      const request = async (path: string) => {
        const { pathname, searchParams } = new URL(path, service.url)
        const isConnection = pathname === tokens.connect.path
        if (isConnection) asked++
        if (isRefused) throw new HttpError(403, new Headers(), null)
        const channel_name = searchParams.get('channel_name') ?? ''
        const answer = isConnection
          ? await service.api(tokens.connect, { project_id }, { as })
          : await service.api(tokens.channel, { project_id, channel_name }, { as })
        if (answer.status !== 200) throw new HttpError(answer.status, new Headers(), null)
        return { body: answer.body }
      }
      const baseUrl = service.url
      const url = `${baseUrl.replace('http', 'ws')}/connection/websocket`
      const session = { onAuthStateChange: () => () => {} } as never
      configureApi({ baseUrl, realtimeUrl: url, language: () => 'en', session, client: { request } as never })
      const queries = new QueryClient()
      stop = connectRealtime({ url, projectId: project_id, queries, session, tell: (now) => (status = now) })
      return { status: () => status, asked: () => asked, refuse: (value) => (isRefused = value) }
    })
    stop()
  },
})

afterEach(() => {
  vi.useRealTimers()
})

test('connects again after a member lost the role and got it back', async ({
  connect,
  person,
  another,
  service,
  api,
}) => {
  const { projectId } = person
  const guest = await another('Guest')
  await service.join(guest, projectId, 0)
  const { status } = connect(guest, projectId)
  await expect.poll(status).toBe('live')
  await api(members.del, { project_id: projectId, user_id: guest.id })
  await expect.poll(status).toBe('away')
  await service.join(guest, projectId, 0)
  await expect.poll(status, { timeout: 10_000 }).toBe('live')
})

test('requests refused tokens less and less often, and connects when they are given', async ({ connect, person }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const { status, asked, refuse } = connect(person, person.projectId)
  refuse(true)
  // A poll would advance the timers.
  await vi.advanceTimersByTimeAsync(0)
  expect(status()).toBe('away')
  for (const [before, delay] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    await vi.advanceTimersByTimeAsync(delay - 1)
    expect(asked()).toBe(before + 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked()).toBe(before + 2)
  }
  refuse(false)
  await vi.advanceTimersByTimeAsync(30_000)
  await expect.poll(status, { timeout: 10_000 }).toBe('live')
})
