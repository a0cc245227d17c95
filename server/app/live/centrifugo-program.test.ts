// The shipped configuration of Centrifugo: its channels, its start, and where CENTRIFUGO_BIN is set two of them over one Redis.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Centrifuge } from 'centrifuge'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { channelNames, channelTypes } from '#contract/events/channels.ts'
import { jwtOf } from '#server/core/jwt.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { eventually } from '#server/testing/eventually.ts'
import { createCentrifugo } from '#server/realtime/centrifugo.ts'

const start = 'deploy/centrifugo/start.sh'
const settings = {
  PATH: process.env['PATH'] ?? '',
  CENTRIFUGO_API_KEY: 'key of the API',
  CENTRIFUGO_TOKEN_SECRET: 'secret of the tokens of this test',
  PUBLIC_URL: 'https://live.example.com',
}

interface Options {
  readonly name?: string
  readonly history_size: number
  readonly force_recovery: boolean
}

test('keeps a history for every channel that the service publishes to', () => {
  const { channel } = JSON.parse(readFileSync('deploy/centrifugo/config.json', 'utf8')) as {
    readonly channel: { readonly without_namespace: Options; readonly namespaces: readonly Options[] }
  }
  const all = [channel.without_namespace, ...channel.namespaces]
  expect(all.filter(({ history_size, force_recovery }) => history_size < 100 || !force_recovery)).toEqual([])
  const names = channelTypes.flatMap((type) => channelNames({ type, id: 7 })).map((name) => name.replace('$', ''))
  const namespaces = names.filter((name) => name.includes(':')).map((name) => name.split(':', 1)[0])
  expect(new Set(channel.namespaces.map(({ name }) => name))).toEqual(new Set(namespaces))
})

test('starts Centrifugo with secrets in variables, and names a missing setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-centrifugo-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\necho "$@"\nenv | sort\n')
  chmodSync(program, 0o755)
  const run = (env: object) => spawnSync('sh', [start], { env: { ...settings, ...env }, encoding: 'utf8' })
  const { stdout } = run({ CENTRIFUGO_BIN: program, CENTRIFUGO_PORT: '9000' })
  const [words = '', ...lines] = stdout.split('\n')
  expect(words).toMatch(/^-c \/.*\/deploy\/centrifugo\/config\.json$/)
  expect(lines.filter((line) => line.startsWith('CENTRIFUGO_'))).toEqual([
    'CENTRIFUGO_CLIENT_ALLOWED_ORIGINS=https://live.example.com',
    `CENTRIFUGO_CLIENT_TOKEN_HMAC_SECRET_KEY=${settings.CENTRIFUGO_TOKEN_SECRET}`,
    'CENTRIFUGO_ENGINE_REDIS_ADDRESS=redis://127.0.0.1:6379',
    'CENTRIFUGO_HTTP_API_KEY=key of the API',
    'CENTRIFUGO_HTTP_SERVER_ADDRESS=127.0.0.1',
    'CENTRIFUGO_HTTP_SERVER_PORT=9000',
  ])
  const missing = run({ CENTRIFUGO_API_KEY: '' })
  expect([missing.status, missing.stderr]).toEqual([78, 'Set CENTRIFUGO_API_KEY\n'])
  const absent = run({ CENTRIFUGO_BIN: join(folder, 'none') })
  expect([absent.status, absent.stderr]).toEqual([78, expect.stringContaining('is not a program: set CENTRIFUGO_BIN')])
})

const bin = process.env['CENTRIFUGO_BIN'] ?? ''
const jwt = jwtOf(Buffer.from(settings.CENTRIFUGO_TOKEN_SECRET))
const token = (sub: string, channel?: string) => {
  const now = Math.floor(Date.now() / 1000)
  return jwt.sign({ ...(channel === undefined ? {} : { channel }), sub, iat: now, exp: now + 300 })
}

/** Ends a program, and waits until it has. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts a Redis and two Centrifugos over it. @returns their ports */
async function pair(): Promise<readonly [number, number]> {
  const [redis, one, two] = [await freePort(), await freePort(), await freePort()]
  const programs = [spawn('redis-server', ['--port', String(redis), '--save', ''], { stdio: 'ignore' })]
  onTestFinished(async () => void (await Promise.all(programs.map(end))))
  for (const port of [one, two]) {
    const env = { ...settings, CENTRIFUGO_BIN: bin, CENTRIFUGO_PORT: String(port) }
    const address = { REDIS_ADDRESS: `redis://127.0.0.1:${redis}` }
    programs.push(spawn('sh', [start], { env: { ...env, ...address }, stdio: 'ignore' }))
  }
  for (const port of [one, two])
    await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/info`, {
        method: 'POST',
        headers: { 'x-api-key': settings.CENTRIFUGO_API_KEY },
        body: '{}',
      }).catch(() => null)
      return answer?.ok
    })
  return [one, two]
}

/** Subscribes to a channel, like a browser. @returns the received publications */
function listen(port: number, channel: string, sub: string) {
  const client = new Centrifuge(`ws://127.0.0.1:${port}/connection/websocket`, {
    websocket: class extends WebSocket {
      constructor(url: string) {
        super(url, { headers: { origin: settings.PUBLIC_URL } })
      }
    },
    getToken: async () => token(sub),
    minReconnectDelay: 20,
    maxReconnectDelay: 50,
  })
  const own = channel.startsWith('$') ? { getToken: async () => token(sub, channel) } : {}
  const subscription = client.newSubscription(channel, own)
  const [received, states, refusals]: [string[], boolean[], number[]] = [[], [], []]
  subscription.on('publication', ({ data }) => received.push(data.payload.operation))
  subscription.on('subscribed', ({ recovered }) => states.push(recovered))
  subscription.on('error', ({ error }) => refusals.push(error.code))
  subscription.on('unsubscribed', ({ code }) => refusals.push(code))
  subscription.subscribe()
  client.connect()
  onTestFinished(() => client.disconnect())
  return { client, received, states, refusals }
}

test.skipIf(bin === '')(
  'delivers in order to pages of both, and what a page missed; refuses the channel of others',
  async () => {
    const [one, two] = await pair()
    const faults: unknown[] = []
    const publisher = createCentrifugo({
      url: `http://127.0.0.1:${one}`,
      apiKey: settings.CENTRIFUGO_API_KEY,
      onFault: (error) => faults.push(error),
    })
    onTestFinished(() => publisher.close())
    const say = (operation: string) => {
      publisher.publish({ type: 'project_live', id: 7 }, { event: 'changed', payload: { operation, stale: [] } })
      publisher.publish({ type: 'project', id: 7 }, { event: 'changed', payload: { operation, stale: [] } })
    }
    const live = [one, two].map((port) => listen(port, '$project_live:7', '7'))
    const own = listen(two, 'project#7', '7')
    const stranger = listen(two, 'project#7', 'overlay-7')
    await eventually(() => [...live, own].every(({ states }) => states.length === 1))
    const words = Array.from({ length: 300 }, (_, at) => String(at))
    for (const word of words) say(word)
    for (const { received } of [...live, own]) await eventually(() => received.length === words.length)
    expect([...live, own].map(({ received }) => received)).toEqual([words, words, words])

    const [away] = live
    const inner = away?.client as unknown as { _transport: { _transport: { close(): void } } }
    inner._transport._transport.close()
    for (const word of ['a', 'b']) say(word)
    await eventually(() => away?.states.length === 2)
    await eventually(() => away?.received.length === words.length + 2)
    expect([away?.states[1], away?.received.slice(-2)]).toEqual([true, ['a', 'b']])
    expect(stranger.received).toEqual([])
    expect(stranger.refusals.length).toBeGreaterThan(0)
    expect(faults).toEqual([])
  },
)
