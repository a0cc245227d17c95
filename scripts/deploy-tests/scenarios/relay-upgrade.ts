// Upgrade of a relay under six broadcasts, one by SRT: the new generation takes the ports, the old one drains and moves its broadcasts.
import { strict as assert } from 'node:assert'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { servers } from '#contract/areas/operator/servers.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { encode } from '#server/relay/testing/encoder.ts'
import { type FaultyPlatform, faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { times } from '#server/relay/testing/rig.ts'
import { program, serviceProcess, signUp } from '#server/testing/process.ts'
import { type Api, callerOf } from '#scripts/deploy-tests/api.ts'
import { startRelay } from '#scripts/deploy-tests/relay.ts'
import { kill, type Stage } from '#scripts/deploy-tests/stage.ts'
import { poll } from '#scripts/house/poll.ts'

export const name = 'Upgrade of a relay under six broadcasts'
export const needs = ['linux', 'ffmpeg'] as const

const byRtmp = 5
const email = 'ann@example.com'
const reason = 'Upgrade'
const relayToken = 'a token that the relay and the service share'
const [before, after] = ['1.0.0', '1.1.0']
/** Promised length of the interruption, seconds. */
const boundSeconds = 5
/** An encoder connects again after this time. */
const retryMs = 1_000
const frameMs = 20
const framesPerKeyframe = 50

/** A broadcast, and its platform. */
interface Broadcast {
  readonly platform: FaultyPlatform
  readonly protocol: 'rtmp' | 'srt'
  /** Returns the frames that the encoder made since the first one; null: unknown. */
  readonly made: () => number | null
}

export async function run(stage: Stage): Promise<void> {
  const { check, measured } = stage
  const service = serviceProcess({
    RELAY_TOKEN: relayToken,
    BILLING: 'off',
    LOG_LEVEL: 'fatal',
    ALLOW_PRIVATE_DESTINATIONS: 'on',
  })
  stage.onClose(() => service.close())
  const { url } = await service.start()
  const api = callerOf(url, (await signUp(url, email)).accessToken)
  execFileSync(process.execPath, [program, 'operator', email], { env: service.env, stdio: 'ignore' })
  const [rtmp, srt] = [await freePort(), await freePort()]
  const start = async (generation: string) => {
    const child = startRelay(stage, url, {
      RELAY_TOKEN: relayToken,
      RELAY_NAME: 'fra',
      RELAY_GENERATION: generation,
      RTMP_PORT: String(rtmp),
      SRT_PORT: String(srt),
      ALLOW_PRIVATE_DESTINATIONS: 'on',
    })
    await poll(`the relay ${generation}`, async () => (await stateOf(generation))?.state === 'accepting')
    return child
  }
  const stateOf = async (generation: string) =>
    (await api(servers.list, {})).results.find(({ node }) => node === `fra-${generation}-1`)

  const old = await start(before)
  const broadcasts = await check('six encoders are on air, one of them by SRT', async () => {
    const all = await Promise.all(Array.from({ length: byRtmp }, () => beginByRtmp(stage, api, rtmp)))
    all.push(await beginBySrt(stage, api, srt))
    await poll('all broadcasts', async () => (await stateOf(before))?.broadcasts === all.length)
    return all
  })
  const gaps = watchGaps(stage, broadcasts)
  await start(after)
  await check(
    'while the relay drains, Servers shows its state and its deadline, and no broadcast is interrupted',
    async () => {
      await api(servers.drain, { node: `fra-${before}-1`, minutes: 60, reason })
      const row = await poll('the drain', async () => {
        const found = await stateOf(before)
        return found?.state === 'draining' && found
      })
      assert.equal(row.broadcasts, broadcasts.length)
      assert.ok(Math.abs(Date.parse(row.date_drain ?? '') - Date.now() - 3_600_000) < 60_000, String(row.date_drain))
      assert.deepEqual(new Set(broadcasts.map(({ platform }) => platform.connections())), new Set([1]))
    },
  )
  await check('each broadcast is interrupted once, for 5 s at most', async () => {
    const ended = once(old, 'exit')
    const since = performance.now()
    await api(servers.drain, { node: `fra-${before}-1`, minutes: 0, reason })
    await ended
    measured('from "Move now" to the end of the old relay', `${((performance.now() - since) / 1000).toFixed(1)} s`)
    await poll('all broadcasts at the new relay', async () => (await stateOf(after))?.broadcasts === broadcasts.length)
    await poll('frames of all broadcasts', () => broadcasts.every(({ platform }) => platform.publishers() === 1))
    const counted = broadcasts.map((broadcast, at) => ({ ...broadcast, seconds: (gaps.longest[at] ?? 0) / 1000 }))
    for (const { protocol, seconds, made, platform } of counted) {
      const frames = made()
      const lost = frames === null ? '' : `, ${frames - times(platform).length} of ${frames} frames lost`
      measured(
        `interruption by ${protocol}`,
        `${seconds.toFixed(1)} s${lost}, ${platform.connections() - 1} reconnects`,
      )
    }
    assert.deepEqual(new Set(counted.map(({ platform }) => platform.connections())), new Set([2]))
    assert.deepEqual(
      counted.filter(({ seconds }) => seconds > boundSeconds).map(({ seconds }) => seconds),
      [],
    )
  })
}

/** Makes a project with a channel at a platform. @returns the stream key, and the platform */
async function newProject(
  stage: Stage,
  api: Api,
): Promise<{ readonly key: string; readonly platform: FaultyPlatform }> {
  const platform = await faultyPlatform()
  stage.onClose(() => platform.stop())
  const { internal_id: project_id } = await api(projects.create, { name: 'Project', currency: 'usd' })
  const about = { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live`, stream_key: 'key' }
  await api(addChannel.any, { project_id, type: 'youtube', name: 'One', ...about })
  return { key: (await api(streamKeys.get, { project_id })).key, platform }
}

/** An encoder that sends a frame every 20 ms, and connects again when it loses its connection. */
async function beginByRtmp(stage: Stage, api: Api, port: number): Promise<Broadcast> {
  const { key, platform } = await newProject(stage, api)
  const began = performance.now()
  let isOn = true
  stage.onClose(() => void (isOn = false))
  const connect = async () => {
    const encoder = encode(port, key)
    if ((await encoder.outcome) !== 'live') return
    encoder.send(avcHeader(), aacHeader())
    let number = Math.ceil((performance.now() - began) / frameMs)
    let isFirst = true
    const timer = setInterval(() => {
      for (; number * frameMs < performance.now() - began; number++) {
        const isKey = isFirst || number % framesPerKeyframe === 0
        isFirst = false
        encoder.send((isKey ? keyframe : interframe)(number * frameMs))
      }
    }, frameMs)
    stage.onClose(() => encoder.destroy())
    await encoder.over
    clearInterval(timer)
  }
  void (async () => {
    for (; isOn; await delay(retryMs)) await connect()
  })()
  await poll('frames at the platform', () => times(platform).length > 0)
  const from = performance.now()
  const first = times(platform).length
  return { platform, protocol: 'rtmp', made: () => first + Math.floor((performance.now() - from) / frameMs) }
}

/** ffmpeg, started again when it ends. */
async function beginBySrt(stage: Stage, api: Api, port: number): Promise<Broadcast> {
  const { key, platform } = await newProject(stage, api)
  const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=10', '-f', 'lavfi', '-i', 'sine']
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-c:a', 'aac', '-f', 'mpegts']
  const to = `srt://127.0.0.1:${port}?streamid=${key}&latency=200000`
  let child: ChildProcess | null = null
  let isOn = true
  stage.onClose(async () => {
    isOn = false
    if (child) await kill(child)
  })
  void (async () => {
    for (; isOn; await delay(retryMs)) {
      child = spawn('ffmpeg', ['-loglevel', 'error', ...picture, ...coding, to], { stdio: 'ignore' })
      await once(child, 'exit')
    }
  })()
  await poll('frames at the platform', () => times(platform).length > 0)
  return { platform, protocol: 'srt', made: () => null }
}

/** Measures the longest time without a frame at each platform, milliseconds. */
function watchGaps(stage: Stage, broadcasts: readonly Broadcast[]): { readonly longest: readonly number[] } {
  const longest = broadcasts.map(() => 0)
  const last = broadcasts.map(() => ({ count: 0, at: performance.now() }))
  const timer = setInterval(() => {
    for (const [at, { platform }] of broadcasts.entries()) {
      const seen = last[at]
      if (!seen) continue
      longest[at] = Math.max(longest[at] ?? 0, performance.now() - seen.at)
      if (platform.arrived.length > seen.count) last[at] = { count: platform.arrived.length, at: performance.now() }
    }
  }, frameMs)
  stage.onClose(() => clearInterval(timer))
  return { longest }
}
