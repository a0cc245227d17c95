// Drain of a relay with 50 encoders, by RTMP and SRT: none is lost, none is admitted, and the deadline holds for an encoder that
// ignores everything.
import { strict as assert } from 'node:assert'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { servers } from '#contract/areas/operator/servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { type Encoder, encode, sendEvenly } from '#server/relay/testing/encoder.ts'
import { avcHeader } from '#server/relay/testing/frames.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { program, serviceProcess, signUp } from '#server/testing/process.ts'
import { type Api, callerOf } from '#scripts/deploy-tests/api.ts'
import { publish, startRelay } from '#scripts/deploy-tests/relay.ts'
import { kill, type Stage } from '#scripts/deploy-tests/stage.ts'
import { poll } from '#scripts/house/poll.ts'

export const name = 'Drain of a relay with 50 encoders'
export const needs = ['linux', 'ffmpeg'] as const

const [rtmpEncoders, srtEncoders] = [46, 4]
const email = 'ann@example.com'
const relayToken = 'a token that the nodes and the service share'
const reason = 'Upgrade'
/** Encoders are disconnected within a minute of the deadline, and the node ends 5 s later; a busy machine takes longer. */
const boundSeconds = 110

interface Node {
  readonly child: ChildProcess
  readonly rtmp: number
  readonly srt: number
}

export async function run(stage: Stage): Promise<void> {
  const { check } = stage
  const service = serviceProcess({ RELAY_TOKEN: relayToken, BILLING: 'off', LOG_LEVEL: 'fatal' })
  stage.onClose(() => service.close())
  const { url } = await service.start()
  const { accessToken } = await signUp(url, email)
  execFileSync(process.execPath, [program, 'operator', email], { env: service.env, stdio: 'ignore' })
  const api = callerOf(url, accessToken)
  const owners = [api]
  // A user creates 20 projects at most.
  while (owners.length < 3)
    owners.push(callerOf(url, (await signUp(url, `owner-${owners.length}@example.com`)).accessToken))
  const [one, two] = [await startNode(stage, url, 'one'), await startNode(stage, url, 'two')]
  const stateOf = async (node: string) => (await api(servers.list, {})).results.find((row) => row.node === node)
  await poll('both nodes', async () => (await stateOf('one')) !== undefined && (await stateOf('two')) !== undefined)

  const count = rtmpEncoders + srtEncoders
  const since = performance.now()
  const keys = await Promise.all(
    Array.from({ length: count + 3 }, (_, number) => newKey(owners[number % 3] ?? api, number)),
  )
  const [deafKey = '', refusedKey = '', laterKey = '', ...others] = keys
  const encoders = await Promise.all(others.slice(0, rtmpEncoders).map((key) => publishByRtmp(stage, one, key)))
  const bySrt = others.slice(rtmpEncoders).map((key) => publishBySrt(stage, one, key))
  const deaf = ffmpeg(stage, `rtmp://127.0.0.1:${one.rtmp}/live/${deafKey}`, 'flv')
  await poll('all broadcasts', async () => {
    const broadcasts = (await stateOf('one'))?.broadcasts
    if (broadcasts !== count + 1) throw new Error(`${broadcasts} are on air`)
    return true
  })
  stage.measured('encoders on air', `${count} after ${((performance.now() - since) / 1000).toFixed(1)} s`)

  await check('a draining relay loses no broadcast, and admits none', async () => {
    await api(servers.drain, { node: 'one', minutes: 60, reason })
    await poll('the drain', async () => (await stateOf('one'))?.state === 'draining')
    assert.notEqual(await encode(one.rtmp, refusedKey).outcome, 'live')
    await publishByRtmp(stage, two, refusedKey)
    await mustBeOn(encoders, bySrt)
    assert.equal((await stateOf('one'))?.broadcasts, count + 1)
  })
  await check('a cancelled drain admits', async () => {
    await api(servers.cancel, { node: 'one', reason })
    await poll('the end of the drain', async () => (await stateOf('one'))?.state === 'accepting')
    encoders.push(await publishByRtmp(stage, one, laterKey))
    await mustBeOn(encoders, bySrt)
  })
  await check('a drain ends after its deadline, with an encoder that ignores everything', async () => {
    await api(servers.drain, { node: 'one', minutes: 60, reason })
    await poll('the drain', async () => (await stateOf('one'))?.state === 'draining')
    deaf.kill('SIGSTOP')
    const ended = once(one.child, 'exit')
    const from = performance.now()
    await api(servers.drain, { node: 'one', minutes: 0, reason })
    await Promise.all([ended, ...encoders.map(({ over }) => over)])
    const seconds = (performance.now() - from) / 1000
    stage.measured('from the deadline to the end of the relay', `${seconds.toFixed(1)} s`)
    assert.ok(seconds < boundSeconds, `It took ${seconds} s`)
    assert.equal(deaf.exitCode, null)
  })
}

/** Makes a project. @returns its stream key */
async function newKey(api: Api, number: number): Promise<string> {
  const { internal_id: project_id } = await api(projects.create, { name: `Project ${number}`, currency: 'usd' })
  return (await api(streamKeys.get, { project_id })).key
}

async function startNode(stage: Stage, url: string, node: string): Promise<Node> {
  const [rtmp, srt] = [await freePort(), await freePort()]
  const ports = { RTMP_PORT: String(rtmp), SRT_PORT: String(srt) }
  const child = startRelay(stage, url, { RELAY_TOKEN: relayToken, RELAY_NAME: node, ...ports })
  return { child, rtmp, srt }
}

/** Publishes by RTMP. */
async function publishByRtmp(stage: Stage, node: Node, key: string): Promise<Encoder> {
  const encoder = await publish(node.rtmp, key)
  encoder.send(avcHeader())
  const stop = sendEvenly(encoder, 50)
  stage.onClose(() => {
    stop()
    encoder.destroy()
  })
  return encoder
}

const publishBySrt = (stage: Stage, { srt }: Node, key: string): ChildProcess =>
  ffmpeg(stage, `srt://127.0.0.1:${srt}?streamid=${key}&latency=2000000`, 'mpegts')

/** Publishes a small picture by ffmpeg. */
function ffmpeg(stage: Stage, to: string, format: string): ChildProcess {
  const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=10', '-f', 'lavfi', '-i', 'sine']
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20', '-c:a', 'aac', '-f', format, to]
  const child = spawn('ffmpeg', ['-loglevel', 'error', ...picture, ...coding], { stdio: 'ignore' })
  stage.onClose(() => kill(child))
  return child
}

/** No encoder was disconnected. */
async function mustBeOn(encoders: readonly Encoder[], children: readonly ChildProcess[]): Promise<void> {
  const states = await Promise.all(encoders.map(({ over }) => Promise.race([over, Promise.resolve('on')])))
  assert.deepEqual(new Set(states), new Set(['on']))
  assert.deepEqual(
    children.map(({ exitCode }) => exitCode),
    children.map(() => null),
  )
}
