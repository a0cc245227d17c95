// A relay with short times, an encoder made by hand, and what the relay told.
import { connect } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { DestinationReport, DestinationTiming } from '#server/relay/destinations/destination.ts'
import { openPublisher, type Publisher, type Target } from '#server/relay/destinations/publisher.ts'
import type { LiveEvent, LiveSample } from '#server/relay/live.ts'
import { Packet } from '#server/relay/media/packet.ts'
import { type FaultyPlatform, faultyPlatform } from './faulty-platform.ts'
import { aacHeader, avcHeader, stream } from './frames.ts'
import { createRelay, type Relay, type RelayOptions } from '#server/relay/relay.ts'
import type { Message } from '#server/relay/rtmp/chunks.ts'

/** Waits until something is so. @throws after ten seconds */
export async function until<T>(what: () => T | undefined | null | false): Promise<T> {
  for (let left = 1000; left > 0; left--) {
    const found = what()
    if (found !== undefined && found !== null && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`It did not come to: ${what.toString()}`)
}

export const quick: DestinationTiming = {
  dialMs: 2_000,
  publishMs: 1_000,
  firstRetryMs: 100,
  retryMsMax: 400,
  rejectedMs: 600_000,
  stallMs: 1_500,
  wellMs: 20_000,
}

export interface Rig {
  readonly relay: Relay
  readonly port: number
  readonly events: readonly LiveEvent[]
  readonly samples: readonly LiveSample[]
  /** The last that is known of a destination. */
  report(id: number): DestinationReport | undefined
  /** An encoder that publishes with a key. */
  encode(key?: string): Encoder
  close(): Promise<void>
}

export interface Encoder extends Pick<Publisher, 'end' | 'destroy'> {
  send(...messages: Message[]): void
  /** Whether the relay said yes, or what it said instead. */
  readonly outcome: Promise<string>
}

export const project = 7

/** A key `good` for one project with these destinations. */
export async function rig(destinations: readonly Target[], options: Partial<RelayOptions> = {}): Promise<Rig> {
  const events: LiveEvent[] = []
  const samples: LiveSample[] = []
  const wishes = destinations.map((target, index) => ({ id: index + 1, target }))
  const relay = createRelay({
    admit: async ({ key }) =>
      key === 'good' ? { projectId: project, destinations: wishes } : { refuse: 'No such key' },
    onEvent: (event) => events.push(event),
    onSample: (sample) => samples.push(sample),
    dial: { allowPrivateDestinations: true },
    timing: quick,
    graceMs: 1_000,
    readyMs: 1_000,
    strangersMax: 20,
    ...options,
  })
  const port = await relay.listen(0, '127.0.0.1')
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

/** An encoder at a relay on this machine. */
export function encode(port: number, key: string): Encoder {
  const settled = Promise.withResolvers<string>()
  const target: Target = { protocol: 'rtmp', host: '127.0.0.1', port, app: 'live', key }
  const publisher = openPublisher(
    connect(port, '127.0.0.1'),
    target,
    { onLive: () => settled.resolve('live'), onClose: (failure, words) => settled.resolve(words ?? failure) },
    { readyMs: 5_000 },
  )
  return {
    outcome: settled.promise,
    send: (...messages) => {
      for (const { type, timestamp, payload } of messages)
        publisher.write(new Packet(type as 8 | 9 | 18, timestamp, payload))
    },
    end: publisher.end,
    destroy: publisher.destroy,
  }
}

/**
 * A relay whose project has the first `count` of three platforms as destinations 1, 2, 3. Gone when the test is.
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

export const targetOf = ({ port }: { readonly port: number }): Target => ({
  protocol: 'rtmp',
  host: '127.0.0.1',
  port,
  app: 'live2',
  key: 'secret-key',
})

/** An encoder on air that sends a second of stream at once. */
export async function onAir(made: Rig, seconds = 1): Promise<Encoder> {
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader(), ...stream(0, seconds))
  return encoder
}

/** Waits until a destination is live. */
export const live = (made: Rig, id: number): Promise<boolean> => until(() => made.report(id)?.state === 'live')

/** When the frames that a platform got are, in order. */
export const times = ({ arrived }: FaultyPlatform): number[] =>
  arrived.filter(({ packet }) => packet.role !== 'header').map(({ packet }) => packet.timestamp)
