// Publications to a Centrifugo, with a double of its HTTP API.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCentrifugo } from './centrifugo.ts'

interface Taken {
  readonly channel: string
  readonly data: { readonly payload: { readonly operation: string } }
}

let server: Server
let taken: Taken[]
let calls: { readonly key: string | undefined; readonly path: string | undefined; readonly size: number }[]
let failures: number
/** Put before the next reply. */
let padding: string
let faults: Error[]
let centrifugo: ReturnType<typeof createCentrifugo>

beforeEach(async () => {
  taken = []
  calls = []
  failures = 0
  padding = ''
  faults = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (failures-- > 0) return response.writeHead(503).end()
      const { commands } = JSON.parse(body) as { commands: { publish: Taken }[] }
      calls.push({ key: request.headers['x-api-key'] as string, path: request.url, size: commands.length })
      taken.push(...commands.map(({ publish }) => publish))
      const replies = commands.map(({ publish }) =>
        publish.channel.startsWith('$broadcast')
          ? { error: { code: 102, message: 'unknown channel' } }
          : { publish: {} },
      )
      response.end(padding + JSON.stringify({ replies }))
      padding = ''
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  centrifugo = createCentrifugo({ url, apiKey: 'api-key', onFault: (error) => faults.push(error as Error) })
})
afterEach(async () => {
  await centrifugo.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const say = (operation: string) =>
  centrifugo.publish({ type: 'project_live', id: 7 }, { event: 'changed', payload: { operation, stale: [] } })
async function wait(what: () => boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!what() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(what()).toBe(true)
}
const operations = () => taken.map(({ data }) => data.payload.operation)

test('sends publications of one tick in one batch, in order, with the key', async () => {
  for (let count = 0; count < 250; count++) say(String(count))
  await wait(() => taken.length === 250)
  expect(operations()).toEqual(Array.from({ length: 250 }, (_, index) => String(index)))
  expect(calls.map(({ size }) => size)).toEqual([100, 100, 50])
  expect(calls[0]).toMatchObject({ key: 'api-key', path: '/api/batch' })
  expect(taken[0]?.channel).toBe('$project_live:7')
})

test('queues publications while Centrifugo is unreachable, and delivers each once', async () => {
  failures = 2
  say('one')
  say('two')
  await wait(() => taken.length === 2)
  expect(operations()).toEqual(['one', 'two'])
  expect(faults).toHaveLength(2)
})

test('skips publications to unknown channels', async () => {
  centrifugo.publish(
    { type: 'broadcast', id: 1 },
    { event: 'restreams.stopped', broadcast_id: 1, event_id: '', restream_id: 1, payload: null },
  )
  say('next')
  await wait(() => taken.length === 2 && faults.length > 0)
  expect(faults.map(({ message }) => message)).toEqual(['Centrifugo refused: unknown channel'])
})

test('reads no more than 2 MiB of a reply, and sends the batch again', async () => {
  padding = ' '.repeat(2 * 1024 * 1024)
  say('one')
  await wait(() => taken.length === 2)
  expect(operations()).toEqual(['one', 'one'])
  expect(faults.map(({ message }) => message)).toEqual(['The answer is too long'])
})
