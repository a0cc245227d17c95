// Two replicas with NATS: pages of both receive messages in one order, and without NATS "Stop" still takes effect soon.
import { strict as assert } from 'node:assert'
import { WebSocket } from 'ws'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { sendEvenly } from '#server/relay/testing/encoder.ts'
import { faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { avcHeader } from '#server/relay/testing/frames.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { type NatsServer, natsServer } from '#server/testing/nats.ts'
import { serviceProcess, signUp } from '#server/testing/process.ts'
import { type Api, callerOf } from '#scripts/deploy-tests/api.ts'
import { publish, startRelay } from '#scripts/deploy-tests/relay.ts'
import type { Stage } from '#scripts/deploy-tests/stage.ts'
import { poll } from '#scripts/house/poll.ts'
import { startPostgres } from '#scripts/house/postgres.ts'

export const name = 'Two replicas with NATS'
export const needs = ['linux', 'nats'] as const

/** A replica, and the calls of the user at it. */
interface Replica {
  readonly url: string
  readonly api: Api
}

const messages = 10_000
/** Clients that write at the same time, at each replica. */
const writers = 8
const relayToken = 'a token that the node and the replicas share'

export async function run(stage: Stage): Promise<void> {
  const postgres = await startPostgres()
  assert.ok(postgres, 'PostgreSQL does not start')
  stage.onClose(postgres.stop)
  const bus = await natsServer()
  stage.onClose(bus.kill)
  const env = {
    DATABASE_URL: postgres.url,
    NATS_URL: bus.url,
    SECRET: 'a secret of two replicas with NATS',
    RELAY_TOKEN: relayToken,
    ALLOW_PRIVATE_DESTINATIONS: 'on',
    LOG_LEVEL: 'fatal',
  }
  const services = [serviceProcess(env), serviceProcess(env)] as const
  for (const service of services) stage.onClose(() => service.close())
  // One after the other: the first one migrates.
  const first = await services[0].start()
  const urls = [first.url, (await services[1].start()).url] as const
  const { accessToken } = await signUp(urls[0], 'ann@example.com')
  const replicas = urls.map((url) => ({ url, api: callerOf(url, accessToken) }))
  const [a, b] = replicas
  assert.ok(a && b)
  const { results } = await a.api(projects.list, {})
  const project_id = results[0]?.id ?? 0

  await stage.check(`${messages} messages reach the pages of both replicas in one order`, async () => {
    const pages = [await openPage(a, project_id), await openPage(b, project_id)] as const
    const since = performance.now()
    await write(replicas, project_id)
    await poll('all messages', () => pages.every(({ received }) => received.length >= messages), 300)
    const seconds = (performance.now() - since) / 1000
    stage.measured('messages', `${messages} in ${seconds.toFixed(1)} s, ${Math.round(messages / seconds)} a second`)
    for (const page of pages) page.close()
    assert.ok(new Set(pages[0].received).size > 1, 'All messages are equal')
    assert.deepEqual(pages[0].received, pages[1].received)
  })
  await stage.check('without NATS "Stop" takes effect, and pages are told to poll', () =>
    stopWithout(stage, [a, b], project_id, bus),
  )
}

/** Writes from several clients at both replicas, of two kinds, in no fixed order. */
async function write(replicas: readonly Replica[], project_id: number): Promise<void> {
  let left = messages
  const { channel_id } = await (replicas[0] as Replica).api(addChannel.any, {
    project_id,
    type: 'youtube',
    name: 'Channel',
    rtmp_url: 'rtmp://127.0.0.1/live',
    stream_key: 'key',
  })
  left -= 1
  const workers = replicas.flatMap(({ api }) => Array.from({ length: writers }, (_, number) => ({ api, number })))
  await Promise.all(
    workers.map(async ({ api, number }) => {
      for (let round = 0; left > 0; round++) {
        left -= 1
        if ((round + number) % 2 === 0) await api(projects.update, { project_id, name: `${number} ${round}` })
        else await api(channels.setDelay, { project_id, channel_id, delay: round % 2 })
      }
    }),
  )
}

/** Opens a page at a replica. `received`: operations of the writes, in order. */
async function openPage({ url, api }: Replica, project_id: number) {
  const channel = `$project_live:${project_id}`
  const [connection, subscription] = [
    await api(tokens.connect, { project_id }),
    await api(tokens.channel, { project_id, channel_name: channel }),
  ]
  const socket = new WebSocket(`${url.replace('http', 'ws')}/connection/websocket`)
  const received: string[] = []
  const opened = Promise.withResolvers<void>()
  let code = 0
  socket.on('error', opened.reject)
  socket.on('close', (closed) => (code = closed))
  socket.on('open', () => {
    socket.send(JSON.stringify({ id: 1, connect: { token: connection.access_token } }))
    socket.send(JSON.stringify({ id: 2, subscribe: { channel, token: subscription.access_token } }))
  })
  socket.on('message', (data: Buffer) => {
    for (const line of data.toString().split('\n')) {
      if (line === '{}') socket.send('{}')
      const frame = JSON.parse(line) as {
        readonly id?: number
        readonly push?: {
          readonly pub?: {
            readonly data: { readonly event: string; readonly payload: { readonly operation?: string } }
          }
        }
      }
      if (frame.id === 2) opened.resolve()
      const operation = frame.push?.pub?.data.payload.operation
      if (operation !== undefined) received.push(operation)
    }
  })
  await opened.promise
  return { received, code: () => code, close: () => socket.terminate() }
}

/** The node is at the first replica, the user at the second one. */
async function stopWithout(
  stage: Stage,
  [{ url, api }, other]: readonly [Replica, Replica],
  project_id: number,
  bus: NatsServer,
): Promise<void> {
  const platform = await faultyPlatform()
  stage.onClose(platform.stop)
  const port = await freePort()
  startRelay(stage, url, {
    RELAY_TOKEN: relayToken,
    RTMP_PORT: String(port),
    SRT_PORT: 'off',
    FFMPEG: '',
    ALLOW_PRIVATE_DESTINATIONS: 'on',
  })
  const about = { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live`, stream_key: 'live' }
  const { channel_id } = await api(addChannel.any, { project_id, type: 'youtube', name: 'Live', ...about })
  await api(channels.setStatus, { project_id, channel_id, status: true })
  const { key } = await api(streamKeys.get, { project_id })
  const encoder = await publish(port, key)
  encoder.send(avcHeader())
  const stop = sendEvenly(encoder, 200)
  stage.onClose(stop)
  await poll('the platform', () => platform.publishers() === 1)
  const status = await poll('the status', async () => {
    const now = await other.api(broadcasts.status, { project_id })
    return now.kind === 'live' && now
  })
  const page = await openPage(other, project_id)

  await bus.kill()
  await poll('the page to be disconnected', () => page.code() !== 0)
  // A page that cannot connect polls the API, until it can.
  await assert.rejects(openPage(other, project_id), /503/)
  const since = performance.now()
  await other.api(broadcasts.stop, { project_id, broadcast_id: status.broadcast_id })
  await poll('the platform to be left', () => platform.publishers() === 0, 30)
  const ms = performance.now() - since
  stage.measured('"Stop" without NATS', `${Math.round(ms)} ms`)
  assert.ok(ms < 2_000, `It took ${ms} ms`)
  await bus.start()
  await poll('pages to connect again', async () => {
    const again = await openPage(other, project_id)
    again.close()
    return true
  })
}
