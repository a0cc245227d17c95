// Starts `deploy/compose.yaml` inside network and mount namespaces of its own, streams, and recreates its containers. Prints a line
// for each check. Argument: the image.
import { strict as assert } from 'node:assert'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { signUp } from '#server/testing/process.ts'
import { poll } from '#scripts/house/poll.ts'
import { callerOf } from './api.ts'

const [image = ''] = process.argv.slice(2)
const project = 'relaydeck-test'
const url = 'http://127.0.0.1:8080'
const env = {
  ...process.env,
  RELAYDECK_IMAGE: image,
  RELAY_TOKEN: 'a-token-of-32-characters-at-least',
  SIGN_UP: 'open',
}
const tool = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
/** This podman has no timers for health checks without systemd. */
const compose = (...args: string[]): string =>
  tool('podman-compose', '-f', 'deploy/compose.yaml', '-p', project, '--podman-run-args=--no-healthcheck', ...args)
const nameOf = (service: string): string => `${project}_${service}_1`
const ok = (title: string): boolean => process.stdout.write(`ok ${title}\n`)
const measured = (what: string, since: number): boolean =>
  process.stdout.write(`measured ${what}: ${((performance.now() - since) / 1000).toFixed(1)} s\n`)

tool('ip', 'link', 'set', 'lo', 'up')
const encoders: ChildProcess[] = []
try {
  const since = performance.now()
  compose('up', '-d', 'service', 'relay')
  await isReady()
  measured('compose up until ready', since)
  ok('service and relay start')
  assert.match(tool('podman', 'exec', nameOf('service'), 'relaydeck', 'health'), /^ready/)
  assert.equal(tool('podman', 'exec', nameOf('service'), 'id', '-u').trim(), '990')
  assert.throws(() => tool('podman', 'exec', nameOf('service'), 'relaydeck', 'upgrade'), /This is a container/)
  ok('the health check answers, the user is 990, and upgrade refuses')
  await stream()
} finally {
  for (const encoder of encoders) encoder.kill('SIGKILL')
  compose('down')
}

function isReady(): Promise<unknown> {
  return poll('readiness', async () => (await fetch(`${url}/readyz`)).ok)
}

async function stream(): Promise<void> {
  const { accessToken } = await signUp(url, 'ann@example.com')
  const api = callerOf(url, accessToken)
  const { results } = await api(projects.list, {})
  const project_id = results[0]?.id ?? 0
  const { key } = await api(streamKeys.get, { project_id })
  const live = (what: string) =>
    poll(what, async () => {
      const now = await api(broadcasts.status, { project_id })
      return now.kind === 'live' && now
    })

  const publishes = `rtmp://127.0.0.1:1935/live/${key}`
  const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine']
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac', '-f', 'flv', publishes]
  const started = spawn('ffmpeg', ['-loglevel', 'error', ...picture, ...coding], { stdio: 'ignore' })
  encoders.push(started)
  const ended = once(started, 'exit')
  const before = await live('the broadcast')
  ok('an encoder on the published port is live')

  tool('podman', 'rm', '-f', '-t', '20', nameOf('service'))
  compose('up', '-d', 'service')
  await isReady()
  const after = await live('the same broadcast after the service was recreated')
  assert.deepEqual([after.broadcast_id, after.reconnects, started.exitCode], [before.broadcast_id, 0, null])
  ok('recreating the service keeps data, broadcast and encoder')

  tool('podman', 'rm', '-f', '-t', '10', nameOf('relay'))
  await ended
  ok('recreating the relay cuts the encoder, as the file says')
}
