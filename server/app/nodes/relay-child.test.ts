// The relay node of this machine.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '#server/relay/testing/free-port.ts'
import { eventually } from '#server/testing/eventually.ts'
import { keepRelay } from './relay-child.ts'
import type { RelayGate } from './relay-gate.ts'

afterEach(() => void vi.useRealTimers())

test('names the port that another program uses, and tries again later each time', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const lines: { readonly msg: string; readonly RTMP_PORT?: string; readonly nextTryInSeconds?: number }[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const noted: unknown[] = []
  const noteTaken = (ports: readonly number[] | null) => void noted.push(ports)
  const gate = { isHere: () => false, workOf: () => 'idle', quit: async () => {}, noteTaken } as unknown as RelayGate
  const RTMP_PORT = String((taken.address() as AddressInfo).port)
  const place = { RTMP_HOST: '127.0.0.1', RTMP_PORT, RTMPS_PORT: String(await freePort()) }
  const env = { SERVICE_URL: 'ws://127.0.0.1:9/relay', RELAY_TOKEN: 'token', ...place }

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const end = keepRelay(gate, log, { env, name: 'here' })
  for (const [tries, waitMs] of [2_500, 3_000].entries()) {
    vi.advanceTimersByTime(waitMs)
    await eventually(() => lines.length > tries)
  }
  vi.useRealTimers()
  await eventually(() => noted.length > 1)
  await end('end')
  const [first, second] = lines
  expect(first).toMatchObject({ RTMP_PORT, nextTryInSeconds: 3 })
  expect(first?.msg).toMatch(/^The relay does not start: another program listens on its port\./)
  expect(second).toMatchObject({ nextTryInSeconds: 6 })
  expect(noted).toEqual([[Number(RTMP_PORT)], [Number(RTMP_PORT)]])
})
