// Relay with short timings, and a record of its events.
import type { LiveSample } from '#server/relay/live-options.ts'
import type { DestinationReport } from '#contract/relay/reports.ts'
import type { RtmpTarget, Target } from '#contract/relay/desired-state.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import { expect, onTestFinished, vi } from 'vitest'
import { type Encoder, encode, quick, handMadeSilentMs } from './encoder.ts'
import { type FaultyPlatform, faultyPlatform } from './faulty-platform.ts'
import { aacHeader, avcHeader, stream } from './frames.ts'
import { createRelay, type Relay, type RelayOptions } from '#server/relay/relay.ts'

/** Polls every 10 ms until a value is truthy. @returns the value @throws after two minutes */
export const until = <T>(read: () => T) =>
  vi.waitUntil(read, { timeout: 120_000, interval: 10, message: `Not reached: ${read.toString()}` })

export interface Rig {
  readonly relay: Relay
  readonly port: number
  readonly events: readonly RelayEvent[]
  readonly samples: readonly LiveSample[]
  /** Latest report of a destination. */
  report(id: number): DestinationReport | undefined
  /** Publishes with a key. */
  encode(key?: string): Encoder
  close(): Promise<void>
}

export const project = 7

/** Starts a relay with a key `good` for one project with these destinations. */
export async function rig(destinations: readonly Target[], options: Partial<RelayOptions> = {}): Promise<Rig> {
  const events: RelayEvent[] = []
  const samples: LiveSample[] = []
  const desired = destinations.map((target, index) => ({ id: index + 1, target }))
  const relay = createRelay({
    admit: async ({ key }) =>
      key === 'good' ? { projectId: project, destinations: desired } : { refuse: 'No such key' },
    onEvent: (event) => events.push(event),
    onSample: (sample) => samples.push(sample),
    dial: { allowPrivateDestinations: true },
    timing: quick,
    graceMs: 1_000,
    silentMs: handMadeSilentMs,
    readyMs: 10_000,
    pendingMax: 20,
    ...options,
  })
  const { port } = await relay.listen(0, '127.0.0.1')
  return {
    relay,
    port,
    events,
    samples,
    report: (id) => {
      const reports = events.flatMap((event) => (event.type === 'destination' ? [event.report] : []))
      return reports.findLast((report) => report.id === id)
    },
    encode: (key = 'good') => encode(port, key),
    close: () => relay.close(),
  }
}

/**
 * Starts a relay whose project has the first `count` of three platforms as destinations 1, 2, 3. Stops it after the test.
 * @example const [made, first, second] = await setUp(2)
 */
export async function setUp(
  count: number,
  options?: Partial<RelayOptions>,
): Promise<[Rig, FaultyPlatform, FaultyPlatform, FaultyPlatform]> {
  const platforms = await Promise.all([faultyPlatform(), faultyPlatform(), faultyPlatform()])
  const made = await rig(platforms.slice(0, count).map(targetOf), options)
  onTestFinished(async () => {
    await made.close()
    await Promise.all(platforms.map((one) => one.stop()))
  })
  return [made, ...platforms]
}

export const targetOf = ({ port }: { readonly port: number }): RtmpTarget => ({
  protocol: 'rtmp',
  host: '127.0.0.1',
  port,
  app: 'live2',
  key: 'secret-key',
})

/** Publishes and sends seconds of a stream without pacing. */
export async function onAir(made: Rig, seconds = 1): Promise<Encoder> {
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader(), ...stream(0, seconds))
  return encoder
}

/** Waits until a destination is live. */
export const live = (made: Rig, id: number): Promise<boolean> => until(() => made.report(id)?.state === 'live')

/** Timestamps of the frames that a platform received, in order. */
export const times = ({ arrived }: FaultyPlatform): number[] =>
  arrived.filter(({ packet }) => packet.role !== 'header').map(({ packet }) => packet.timestamp)
