// A write is sent immediately, under the session of its form and no other.
import { onlineManager, type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { start } from '#src/session/testing/start.ts'
import { createSessionQueryClient } from './query-client.ts'
import { useWrite } from './query.ts'
import { configureApi } from './runtime.ts'

afterEach(() => onlineManager.setOnline(true))

type Write = (input: { project_id: number; plan_restream_id: number }) => Promise<unknown>

function Form({ onRender }: { readonly onRender: (write: Write) => void }) {
  onRender(useWrite(restream.cancelNext).mutateAsync)
  return null
}

/** The write of a form below this cache. */
function writeIn(queries: QueryClient): () => Promise<unknown> {
  const writes: Write[] = []
  const form = createElement(Form, { onRender: (write) => void writes.push(write) })
  renderToString(createElement(QueryClientProvider, { client: queries }, form))
  return () => writes[0]!({ project_id: 7, plan_restream_id: 1 })
}

/** A signed-in tab and the cache of its session. */
async function signedIn() {
  const world = await start()
  const { server, tab } = world
  server.operations['/method/plan_restream'] = () => ({ status: 200, body: '{"success":true}' })
  configureApi({
    baseUrl: 'http://server',
    realtimeUrl: 'ws://server',
    session: tab.session,
    client: tab.client,
    language: () => 'en',
  })
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'sent',
      (error: Error) => error.name,
    )
  return { ...world, queries: createSessionQueryClient(tab.session), outcome }
}

test('a form sends under the session of its cache', async () => {
  const { server, after, queries, outcome } = await signedIn()
  expect(await after(outcome(writeIn(queries)()))).toBe('sent')
  expect(server.sends.map(({ token }) => token)).toEqual(['access-ann-1'])
})

test('a form sends immediately without a network: nothing waits for the next session', async () => {
  const { server, after, queries, outcome } = await signedIn()
  onlineManager.setOnline(false)
  expect(await after(outcome(writeIn(queries)()))).toBe('sent')
  expect(server.sends).toHaveLength(1)
})

test.each(['ben', 'ann'])('a form of an earlier session sends nothing after %s has signed in', async (next) => {
  const { server, tab, after, queries, outcome } = await signedIn()
  const write = writeIn(queries)
  await after(tab.session.setSession(server.mint(next)))
  expect(await after(outcome(write()))).toBe('SessionChangedError')
  expect(server.sends).toEqual([])
})

test('a write makes the queries stale that its operation names, and no others', async () => {
  const { after, queries, outcome } = await signedIn()
  const of = (op: string) => [...op.split('.'), { project_id: 7 }, 'en']
  const [named, other] = [of('tariffs.restream.slots'), of('channels.channels.search')]
  for (const key of [named, other]) queries.setQueryData(key, {})
  await after(outcome(writeIn(queries)()))
  expect([named, other].map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, false])
})
