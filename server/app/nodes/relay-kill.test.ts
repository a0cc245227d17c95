// Killed processes during a stream: the service by SIGKILL and SIGTERM, and the relay.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { OnAir } from '#contract/entities/on-air.ts'
import { faultyPlatform, type FaultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { encode } from '#server/relay/testing/encoder.ts'
import { times, until } from '#server/relay/testing/rig.ts'
import { post, serviceProcess, type ServiceProcess, signUp } from '#server/testing/process.ts'

const rtmpPort = await freePort()
const service: ServiceProcess = serviceProcess({
  PORT: String(await freePort()),
  RELAY: 'on',
  RTMP_PORT: String(rtmpPort),
  ALLOW_PRIVATE_DESTINATIONS: 'on',
  LOG_LEVEL: 'info',
})
const platform: FaultyPlatform = await faultyPlatform()
const timers: NodeJS.Timeout[] = []
afterEach(() => timers.splice(0).forEach(clearInterval))
afterAll(async () => {
  await platform.stop()
  service.close()
})

const common = { v: '1', language: 'en' }

/** Sends a request to the service. */
async function read<T>(url: string, path: string, values: Record<string, string>, token: string): Promise<T> {
  const query = new URLSearchParams({ ...common, ...values })
  const answer = await fetch(`${url}/method/${path}?${query.toString()}`, {
    headers: { authorization: `oauth ${token}` },
  })
  return (await answer.json()) as T
}

/** Sends a frame every 20 ms and a keyframe every second until it is stopped. */
function keepSending(encoder: ReturnType<typeof encode>): { readonly sent: number[]; stop(): void } {
  const sent: number[] = []
  encoder.send(avcHeader(), aacHeader())
  const timer = setInterval(() => {
    const at = sent.length * 20
    encoder.send(sent.length % 50 === 0 ? keyframe(at) : interframe(at))
    sent.push(at)
  }, 20)
  timers.push(timer)
  return { sent, stop: () => clearInterval(timer) }
}

/** Publishes repeatedly until the relay accepts: it may still be starting. */
async function publish(key: string): Promise<ReturnType<typeof encode>> {
  for (;;) {
    const encoder = encode(rtmpPort, key)
    if ((await encoder.outcome) === 'live') return encoder
    await wait(200)
  }
}

test('streams survive SIGUSR2, and SIGKILL and SIGTERM of the service; a killed relay is back in seconds; SIGINT ends both', async () => {
  const first = await service.start()
  const { accessToken: token } = await signUp(first.url, 'ann@example.com')
  const { results } = await read<{ results: { project_id: number }[] }>(first.url, 'project/list', {}, token)
  const inProject = { project_id: String(results[0]?.project_id) }
  const project_id = results[0]?.project_id ?? 0
  const channel = {
    name: 'One',
    // The encoder sends no sound, which channels of YouTube would get silence for.
    type: 'twitch',
    rtmp_url: `rtmp://127.0.0.1:${platform.port}/live`,
    stream_key: 'secret',
  }
  await post(`${first.url}/method/channel/add`, { ...common, project_id, ...channel }, token)
  const { key } = await read<{ key: string }>(first.url, 'stream-keys', inProject, token)
  const status = (url: string) => read<OnAir>(url, 'broadcast/status', inProject, token)

  const encoder = await publish(key)
  const stream = keepSending(encoder)
  await until(() => times(platform).length > 50)
  let before = await status(first.url)
  for (; before.kind !== 'live'; before = await status(first.url)) await wait(100)

  process.kill(service.relays().at(-1) ?? 0, 'SIGUSR2')
  first.child.kill('SIGUSR2')
  let running = first
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    before = await status(running.url)
    const gone = once(running.child, 'exit')
    running.child.kill(signal)
    expect(await gone).toEqual(signal === 'SIGKILL' ? [null, signal] : [0, null])
    const then = stream.sent.length
    await until(() => times(platform).length > then + 50)

    running = await service.start()
    let after = await status(running.url)
    while (!after.bitrate || after.date_sample === before.date_sample) {
      await wait(100)
      after = await status(running.url)
    }
    expect(after).toMatchObject({ broadcast_id: before.broadcast_id, reconnects: 0, status: 'active' })
  }
  const second = running
  const all = await read<{ total: number }>(second.url, 'broadcast/list', inProject, token)
  expect(all.total).toBe(1)
  stream.stop()
  await until(() => times(platform).at(-1) === stream.sent.at(-1))
  // From the first keyframe that the platform received.
  const from = stream.sent.indexOf(times(platform)[0] ?? -1)
  expect(times(platform)).toEqual(stream.sent.slice(from))
  expect(from % 50).toBe(0)
  expect(platform.connections()).toBe(1)

  const relay = service.relays().at(-1) ?? 0
  process.kill(relay, 'SIGKILL')
  const again = await publish(key)
  keepSending(again)
  await until(() => platform.connections() === 2)
  while ((await status(second.url)).status !== 'active') await wait(100)
  expect((await status(second.url)).restreams.length).toBe(1)

  const ended = once(second.child, 'exit')
  second.child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(service.printed()).toContain('The relay ends with the service')
  expect(await encode(rtmpPort, key).outcome).not.toBe('live')
})

test('SIGTERM leaves the encoder of a stopped broadcast connected, and the next service can put it on air', async () => {
  const first = await service.start()
  const { accessToken: token } = await signUp(first.url, 'bea@example.com')
  const { results } = await read<{ results: { project_id: number }[] }>(first.url, 'project/list', {}, token)
  const project_id = results[0]?.project_id ?? 0
  const inProject = { project_id: String(project_id) }
  const { key } = await read<{ key: string }>(first.url, 'stream-keys', inProject, token)
  const status = (url: string) =>
    read<OnAir & { stopped_broadcast_id?: number }>(url, 'broadcast/status', inProject, token)
  const reached = async (url: string, isReached: (now: Awaited<ReturnType<typeof status>>) => boolean) => {
    for (;;) {
      const now = await status(url)
      if (isReached(now)) return now
      await wait(100)
    }
  }

  const encoder = await publish(key)
  keepSending(encoder)
  const { broadcast_id } = await reached(first.url, ({ kind }) => kind === 'live')
  await post(`${first.url}/method/broadcast/stop`, { ...common, project_id, broadcast_id }, token)
  await reached(first.url, ({ stopped_broadcast_id }) => stopped_broadcast_id === broadcast_id)
  const relay = service.relays().at(-1)
  const from = service.printed().length
  let gone = once(first.child, 'exit')
  first.child.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
  expect(service.printed().slice(from)).toContain('The relay keeps the encoders of stopped broadcasts connected')

  const second = await service.start()
  await reached(second.url, ({ stopped_broadcast_id }) => stopped_broadcast_id === broadcast_id)
  await post(`${second.url}/method/broadcast/play`, { ...common, project_id, broadcast_id }, token)
  const again = await reached(second.url, ({ kind }) => kind === 'live')
  expect(service.relays().at(-1)).toBe(relay)

  const which = { ...common, project_id, broadcast_id: again.broadcast_id }
  await post(`${second.url}/method/broadcast/stop`, which, token)
  await reached(second.url, ({ stopped_broadcast_id }) => stopped_broadcast_id === again.broadcast_id)
  encoder.end()
  await reached(second.url, ({ stopped_broadcast_id }) => stopped_broadcast_id === undefined)
  const then = service.printed().length
  gone = once(second.child, 'exit')
  second.child.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
  expect(service.printed().slice(then)).toContain('"The relay ends with the service"')
})
