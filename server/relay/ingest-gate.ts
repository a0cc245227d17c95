// Admits encoders and players to the projects of a node, and parks encoders of stopped broadcasts.
import { keyOf } from './ingest/backup-key.ts'
import { bitrateRefusal } from './live-options.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import { anotherBackup, anotherEncoder } from '#server/domain/broadcasts/live-facts.ts'
import type { PlayGrant, PublishGrant } from './grants.ts'
import { AdmittedEncoder } from './ingest/admitted-encoder.ts'
import { createParking } from './ingest/parking.ts'
import type { Playback, PlayRequest } from './ingest/playback.ts'
import type { IngestSession, Publication, PublishRequest } from './ingest/publication.ts'
import { refusal, type Refused } from './ingest/refusal.ts'
import { type Live } from './live.ts'

// Refusals of plays, which the service sees in their states.
const stopped = 'The broadcast was stopped'
const anotherPlay = 'Another schedule is on air'

/** An encoder that named a project and was refused. */
export interface RefusedEncoder {
  readonly projectId: number
  readonly address: string
  readonly reason: 'another_encoder' | 'wrong_passphrase' | 'bitrate'
}

export interface IngestGateOptions {
  /** Requests the admission of an encoder from the service. */
  readonly admit: (request: PublishRequest) => Promise<PublishGrant | Refused>
  /** Requests the admission of a player. Without it all players are refused. */
  readonly admitPlayer?: ((request: PlayRequest) => Promise<PlayGrant | Refused>) | undefined
  readonly onParked: (projectId: number, gone: boolean) => void
  /** A correct key was refused. */
  readonly onRefused?: ((encoder: RefusedEncoder) => void) | undefined
  readonly live: (projectId: number) => Live | undefined
  /** Returns the project on air, and puts it on air if it is not. */
  readonly open: (projectId: number) => Live
  /** Time for which an encoder above the bitrate limit is refused, milliseconds. */
  readonly refuseMs: number
}

export class IngestGate {
  readonly #options: IngestGateOptions
  readonly #parking
  readonly #encoders = new WeakMap<IngestSession, AdmittedEncoder>()
  /** Parked encoders whose admission is pending. */
  readonly #releasing = new Set<AdmittedEncoder>()
  /** Projects whose encoder exceeded the bitrate limit. */
  readonly #overBitrate = new Map<number, { readonly until: number; readonly kbpsMax: number }>()

  constructor(options: IngestGateOptions) {
    this.#options = options
    this.#parking = createParking(options.onParked)
  }

  /** Admits an encoder. @param onAdmitted called when the key is correct */
  async admit(said: PublishRequest, session: IngestSession, onAdmitted = () => {}): Promise<Publication | Refused> {
    const request = { ...said, ...keyOf(said) }
    const grant = await this.#options.admit(request)
    if ('refuse' in grant) return grant
    const encoder = new AdmittedEncoder(session, request)
    const refused = this.#place(encoder, grant)
    if (refused) return refused
    onAdmitted()
    return encoder
  }

  /** Admits a player. @param onAdmitted called when the key is correct */
  async admitPlayer(request: PlayRequest, onAdmitted = () => {}): Promise<Playback | Refused> {
    const grant = await (this.#options.admitPlayer?.(request) ?? { refuse: 'This server takes streams' })
    if ('refuse' in grant) return grant
    const live = this.#options.live(grant.projectId)
    if (!live) return { refuse: 'Nothing is on air', code: refusal.notFound }
    if (!live.pulls.hasRoom(grant.keyId)) return { refuse: 'Too many fetch by this key', code: refusal.overload }
    const release = live.reserveEgress()
    if (!release) return { refuse: 'The server sends as much as it may. Try again later', code: refusal.overload }
    onAdmitted()
    let end = () => {}
    return {
      begin: (player) => (end = live.pulls.add(grant.keyId, player)),
      beginTransport: (player) => (end = live.pulls.addTransport(grant.keyId, player)),
      ended() {
        release()
        end()
      },
    }
  }

  /** Ends a broadcast and parks its encoders. */
  park(projectId: number): void {
    for (const { session, headers } of this.#options.live(projectId)?.detachEncoders() ?? []) {
      const encoder = this.#encoders.get(session)
      if (encoder) this.#parking.park(projectId, encoder, headers)
    }
  }

  /** Requests the admission of the parked encoders again, and puts them on air over their connections. */
  async release(projectId: number): Promise<void> {
    const parked = this.#parking.list(projectId)
    // The main encoder enters first.
    if (parked.some((encoder) => this.#releasing.has(encoder))) return
    for (const encoder of parked) await this.#release(projectId, encoder)
  }

  async #release(projectId: number, encoder: AdmittedEncoder): Promise<void> {
    this.#releasing.add(encoder)
    const grant = await this.#options
      .admit({ ...encoder.request, isParked: true })
      .finally(() => this.#releasing.delete(encoder))
    // It may have disconnected meanwhile.
    if (!this.#parking.list(projectId).includes(encoder)) return
    if ('refuse' in grant) {
      // Without a response it stays parked, and the service sends `release` again.
      if (grant.code !== refusal.down) this.#dismiss(projectId, encoder, grant)
    } else if (!grant.held) {
      const headers = this.#parking.leave(projectId, encoder)
      const refused = this.#place(encoder, grant)
      if (refused) return this.#dismiss(projectId, encoder, refused)
      for (const message of headers) encoder.take(message)
    }
  }

  /** Refuses the encoders of a project for a while when it exceeded the bitrate limit. */
  onEvent(event: RelayEvent): void {
    if (event.type !== 'bitrate' || event.state !== 'refused') return
    const until = event.at + this.#options.refuseMs
    this.#overBitrate.set(event.projectId, { until, kbpsMax: event.kbpsMax })
  }

  /** Reports parked encoders; call it each second. @param now wall clock, milliseconds */
  watch(now: number): void {
    this.#parking.watch(now)
    for (const [projectId, { until }] of this.#overBitrate) if (until <= now) this.#overBitrate.delete(projectId)
  }

  /** Puts an encoder on air, or parks it. @returns the reason if it can be neither */
  #place(encoder: AdmittedEncoder, grant: PublishGrant): Refused | null {
    const { projectId } = grant
    if (grant.held && encoder.rank === 'play') return { refuse: stopped, code: refusal.conflict }
    if (grant.held) {
      this.#parking.park(projectId, encoder)
      return null
    }
    const refused = this.#refusalOf(encoder, grant)
    if (refused) return refused
    const live = this.#options.open(projectId)
    this.#encoders.set(encoder.session, encoder)
    encoder.sink = live.begin(encoder.session, encoder.request, grant.epoch)
    live.update(grant)
    return null
  }

  #refusalOf(encoder: AdmittedEncoder, { projectId, kbpsMax = 0 }: PublishGrant): Refused | null {
    const now = Date.now()
    const over = this.#overBitrate.get(projectId)
    const { rank } = encoder
    const isPlay = rank === 'play'
    const isOver = !isPlay && over !== undefined && over.until > now
    const reason = isOver ? 'bitrate' : this.#options.live(projectId)?.refusalOf(rank)
    if (!reason) return null
    if (isPlay) return { refuse: anotherPlay, code: refusal.conflict }
    this.#options.onRefused?.({ projectId, address: encoder.request.address, reason })
    if (reason === 'bitrate') return { refuse: bitrateRefusal(over?.kbpsMax ?? kbpsMax), code: refusal.unacceptable }
    return { refuse: rank === 'backup' ? anotherBackup : anotherEncoder, code: refusal.conflict }
  }

  #dismiss(projectId: number, encoder: AdmittedEncoder, { refuse }: Refused): void {
    this.#parking.leave(projectId, encoder)
    encoder.session.end('NetStream.Publish.BadName', refuse)
  }
}
