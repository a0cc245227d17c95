// The supervisor that `npm start` becomes, with the real service and with programs that die.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#server/relay/testing/free-port.ts'
import { until } from '#server/relay/testing/rig.ts'
import { childOf, program, serviceProcess, supervisor } from '#server/testing/process.ts'

const port = await freePort()
const service = serviceProcess({ PORT: String(port) })
afterAll(() => service.close())

const isReady = async (url: string) => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true

/** Returns whether a process runs. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Supervises a program. */
function supervise(args: readonly string[], env = service.env) {
  const child = spawn(process.execPath, [supervisor, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  service.track(child)
  return { child, ended: once(child, 'exit'), stdout: text(child.stdout), stderr: text(child.stderr) }
}

test('restarts a service that was killed, says so, and ends with it on SIGTERM', async () => {
  const { child, url } = await service.start([supervisor, program])
  process.kill(childOf(child.pid), 'SIGKILL')
  await until(() => service.printed().split('Relaydeck is at').length === 3)
  expect(service.printed()).toContain('The service died (SIGKILL). Restarting in 0.5 s')
  expect(await isReady(url)).toBe(true)
  child.kill('SIGUSR2')
  process.kill(childOf(child.pid), 'SIGUSR2')
  await until(() => isReady(url))
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await isReady(url)).toBe(false)
})

test('leaves no service behind when it is killed itself', async () => {
  const { child, url } = await service.start([supervisor, program])
  const pid = childOf(child.pid)
  child.kill('SIGKILL')
  await until(() => !runs(pid))
  expect(await isReady(url)).toBe(false)
})

test('does not restart a service that cannot start as it is configured', async () => {
  const { ended, stderr } = supervise([program], { ...service.env, ACCESS_TTL: 'soon' })
  expect(await ended).toEqual([78, null])
  expect((await stderr).match(/ACCESS_TTL is not valid/g)).toHaveLength(1)
})

test('doubles the wait after each failure, and ends while it waits', async () => {
  const { child, ended, stdout } = supervise(['-e', 'process.exit(1)'])
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  await until(() => said.includes('Restarting in 2 s'))
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(await stdout).toContain('A relay with a broadcast on air keeps running')
  expect((await stdout).match(/\(exit code 1\). Restarting in [\d.]+ s/g)).toEqual(
    ['0.5', '1', '2'].map((seconds) => `(exit code 1). Restarting in ${seconds} s`),
  )
})
