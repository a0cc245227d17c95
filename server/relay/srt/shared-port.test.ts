// SRT port that several processes share: running flows stay where they are when a process joins or leaves.
import { expect, onTestFinished, test } from 'vitest'
import { callSrt, type SrtTestCaller } from '#server/relay/testing/srt-caller.ts'
import { until } from '#server/relay/testing/rig.ts'
import { listenSrt } from './listener.ts'

const flows = 40
const rounds = 5

/** A listener, as a process has one, and the payloads that it received. */
async function listener(port = 0) {
  const received: string[] = []
  const { close, ...made } = await listenSrt(
    { port, host: '127.0.0.1', isShared: true },
    {
      admit: async () => ({
        begin: () => undefined,
        take: (payload) => void received.push(payload.toString()),
        ended: () => undefined,
      }),
      keyOf: async () => 'key',
      latencyMs: 5_000,
      pendingMax: flows,
    },
  )
  onTestFinished(() => close())
  return { ...made, received, close }
}

const callAll = async (port: number): Promise<SrtTestCaller[]> => {
  const callers = await Promise.all(Array.from({ length: flows }, () => callSrt(port, 'key')))
  onTestFinished(() => callers.forEach((caller) => caller.close()))
  return callers
}

/** Sends a payload of each caller in each round, and waits until it has arrived. @returns all payloads */
async function sendAll(callers: readonly SrtTestCaller[], name: string, received: readonly string[]) {
  const sent: string[] = []
  for (let round = 0; round < rounds; round++)
    for (const [number, caller] of callers.entries()) {
      const payload = `${name} ${number} ${round}`
      sent.push(payload)
      caller.send(Buffer.from(payload))
    }
  await until(() => sent.every((payload) => received.includes(payload)))
  return sent
}

test('keeps every flow at its process while another one joins, stops to listen and leaves', async () => {
  const old = await listener()
  const { port } = old
  const running = await callAll(port)
  expect(old.sizes().connections).toBe(flows)

  const fresh = await listener(port)
  await sendAll(running, 'joined', old.received)
  expect(fresh.received).toEqual([])
  await callAll(port)
  expect(fresh.sizes().connections).toBeGreaterThan(0)
  expect(old.sizes().connections + fresh.sizes().connections).toBe(2 * flows)

  old.stop()
  const before = fresh.sizes().connections
  const late = await callAll(port)
  expect(fresh.sizes().connections - before).toBe(flows)
  await sendAll(running, 'stopped', old.received)
  await old.close()
  await sendAll(late, 'left', fresh.received)
  expect(old.received).toHaveLength(2 * flows * rounds)
})
