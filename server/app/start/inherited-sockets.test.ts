// Sockets of systemd: connections wait on them while the service restarts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { childOf, program, serviceProcess, supervisor } from '#server/testing/process.ts'
import { handedOn, listenOn } from './inherited-sockets.ts'

test('passes sockets only of the process that systemd started, and none of its variables', () => {
  const env = { LISTEN_PID: '7', LISTEN_FDS: '2', LISTEN_FDNAMES: 'a:b', RELAYDECK_SOCKETS: '9', PORT: '1' }
  expect(handedOn(env, 7)).toEqual({ stdio: [3, 4, 3, 4], env: { PORT: '1', RELAYDECK_SOCKETS: '4' } })
  expect(handedOn(env, 8)).toEqual({ stdio: [], env: { PORT: '1' } })
  expect(handedOn({ PORT: '1' }, 8)).toEqual({ stdio: [], env: { PORT: '1' } })
})

test('listens on the address where no socket of the port was inherited', () => {
  expect(listenOn('127.0.0.1', 8080, { RELAYDECK_SOCKETS: '50' })).toEqual({ host: '127.0.0.1', port: 8080 })
})

test('a request during a restart waits for the next service', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const service = serviceProcess({ PORT: String(port), LISTEN_FDS: '1' })
  onTestFinished(() => service.close())
  const { fd } = (holder as unknown as { readonly _handle: { readonly fd: number } })._handle
  // `exec` keeps the process id of the shell.
  const args = ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', process.execPath, supervisor, program]
  const child = service.track(spawn('sh', args, { env: service.env, stdio: ['ignore', 'pipe', 'inherit', fd] }))
  const url = `http://127.0.0.1:${port}/healthz`
  // The test holds no listener of its own any more.
  holder.close()
  expect((await fetch(url)).status).toBe(200)
  const first = childOf(child.pid)
  process.kill(first, 'SIGKILL')
  expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(200)
  expect(childOf(child.pid)).not.toBe(first)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
