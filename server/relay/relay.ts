// The relay of one node: admits encoders and players, and runs the projects on air.
import type { WebSocket } from 'ws'
import { type LiveOptions, type LiveSample, withoutFfmpeg } from './live-options.ts'
import type { DesiredState } from '#contract/relay/desired-state.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import { IngestGate, type IngestGateOptions } from './ingest-gate.ts'
import { type BrowserOptions, serveBrowser } from './ingest/browser-session.ts'
import type { IngestSession, KeyRequest, Publication, PublishRequest } from './ingest/publication.ts'
import { refusal, type Refused } from './ingest/refusal.ts'
import { Live } from './live.ts'
import { defaultBitrateTiming } from './media/bitrate-limit.ts'
import { createRtmpListener, type RtmpListener, type RtmpListenerOptions } from './rtmp-listener.ts'
import { listenSrt, type SrtListener } from './srt/listener.ts'
import { srtGate } from './srt/gate.ts'
import { addUp, type Totals } from './totals.ts'

export interface RelayOptions
  extends
    Omit<LiveOptions, 'onEvent' | 'onEnd'>,
    Pick<IngestGateOptions, 'admit' | 'admitPlayer'>,
    Pick<RtmpListenerOptions, 'readyMs' | 'pendingMax'> {
  /** Returns the key that an SRT caller encrypts by. Without it encryption is refused. */
  readonly keyOf?: (request: KeyRequest) => Promise<{ readonly key: string } | Refused>
  readonly onEvent: (event: RelayEvent) => void
  /** Every second for every parked encoder, and (`gone`) when it has left. */
  readonly onParked?: IngestGateOptions['onParked']
  /** An encoder that named a project was refused. */
  readonly onRefused?: IngestGateOptions['onRefused']
  /** Every second for every project on air. */
  readonly onSample: (sample: LiveSample) => void
  /** Called each second. */
  readonly onSecond?: (() => void) | undefined
}

export interface Relay extends Pick<RtmpListener, 'listen'> {
  /** Admits an encoder whose media this node fetches or receives by other ways than its ports. */
  admit(request: PublishRequest, session: IngestSession): Promise<Publication | Refused>
  /** Accepts SRT on a UDP port. May be called for several ports. @param isShared other processes of the machine listen on it too */
  listenSrt(port: number, host: string, isShared?: boolean): Promise<SrtListener>
  /** Receives the stream of a browser. @returns a function that ends it */
  takeBrowser(socket: WebSocket, browser: Pick<BrowserOptions, 'projectId' | 'address'>): () => void
  /** Applies the desired state of a project on air. */
  update(projectId: number, desired: DesiredState): void
  /** Retries a destination immediately. */
  retry(projectId: number, destinationId: number): void
  /** Ends a broadcast and disconnects the encoder. @param epoch only under this epoch; default: any */
  stop(projectId: number, message?: string, epoch?: number): void
  /** Ends a broadcast and keeps the encoders connected, because they would reconnect. */
  park(projectId: number): void
  /** Puts parked encoders on air if the service admits them. */
  release(projectId: number): void
  live(projectId: number): Live | undefined
  /** Returns the projects on air. */
  projects(): number[]
  /** Returns the traffic since the start. */
  totals(): Totals
  close(): Promise<void>
}

const sampleMs = 1_000
/** Minimum latency of SRT, its default, milliseconds. An encoder can request more. */
const srtLatencyMs = 120

/** Creates a relay; call `listen` to open its ports. */
export function createRelay(options: RelayOptions): Relay {
  const lives = new Map<number, Live>()
  let past: Totals = { bytes: 0, packets: 0, dropped: 0 }
  const srt: SrtListener[] = []

  const gate = new IngestGate({
    admit: options.admit,
    admitPlayer: options.admitPlayer,
    onParked: options.onParked ?? (() => {}),
    onRefused: options.onRefused,
    live: (projectId) => lives.get(projectId),
    open,
    refuseMs: (options.bitrate ?? defaultBitrateTiming).refuseMs,
  })
  const admit: RtmpListenerOptions['admit'] = (...args) => gate.admit(...args)
  const admitPlayer: RtmpListenerOptions['admitPlayer'] = (...args) => gate.admitPlayer(...args)
  const { readyMs, pendingMax } = options
  const rtmp = createRtmpListener({ admit, admitPlayer, readyMs, pendingMax })

  function onEvent(event: RelayEvent) {
    gate.onEvent(event)
    options.onEvent(event)
  }

  function open(projectId: number): Live {
    const existing = lives.get(projectId)
    if (existing) return existing
    const onEnd = () => {
      lives.delete(projectId)
      past = addUp([past, live.totals()])
    }
    const live = new Live(projectId, { ...options, onEnd, onEvent })
    lives.set(projectId, live)
    return live
  }

  const clock = setInterval(() => {
    const now = Date.now()
    for (const live of lives.values()) options.onSample(live.watch(now))
    options.onSecond?.()
    gate.watch(now)
  }, sampleMs)

  const { programs } = options.transcoding ?? withoutFfmpeg
  const keyOf = options.keyOf ?? (async () => ({ refuse: 'No key by a number here', code: refusal.unsecure }))

  return {
    listen: rtmp.listen,
    takeBrowser: (socket, { projectId, address }) =>
      serveBrowser(socket, {
        projectId,
        address,
        programs,
        keyOf,
        admit: (request, session) => gate.admit(request, session),
      }),
    admit: (request, session) => gate.admit(request, session),
    async listenSrt(port, host, isShared = false) {
      const handlers = srtGate({
        programs,
        admit: (request, session) => gate.admit(request, session),
        admitPlayer: (request) => gate.admitPlayer(request),
        keyOf,
        onWrongPassphrase: ({ number, address }) =>
          options.onRefused?.({ projectId: number, address, reason: 'wrong_passphrase' }),
      })
      const listener = await listenSrt({ port, host, isShared }, { ...handlers, latencyMs: srtLatencyMs, pendingMax })
      srt.push(listener)
      return listener
    },
    update: (projectId, desired) => lives.get(projectId)?.update(desired),
    retry: (projectId, destinationId) => lives.get(projectId)?.retry(destinationId),
    stop(projectId, message, epoch) {
      const live = lives.get(projectId)
      if (epoch === undefined || live?.epoch === epoch) live?.end(message)
    },
    park: (projectId) => gate.park(projectId),
    release: (projectId) => void gate.release(projectId).catch(() => undefined),
    live: (projectId) => lives.get(projectId),
    projects: () => [...lives.keys()],
    totals: () => addUp([past, ...[...lives.values()].map((live) => live.totals())]),
    async close() {
      clearInterval(clock)
      for (const live of lives.values()) live.end('The server is going down')
      await Promise.all([rtmp.close(), ...srt.map((listener) => listener.close())])
    },
  }
}
