// Admission of SRT callers: the same as for RTMP. Remuxes their MPEG-TS for the relay.
import type { Playback, PlayRequest } from '#server/relay/ingest/playback.ts'
import {
  type IngestSession,
  type KeyRequest,
  plainLink,
  type Publication,
  type PublishRequest,
} from '#server/relay/ingest/publication.ts'
import { refusal, type Refused } from '#server/relay/ingest/refusal.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import type { SrtCaller, SrtOptions, SrtSession } from './callers.ts'
import type { SrtConnection, SrtEnd } from './connection.ts'
import { SrtPublisher } from './publisher.ts'

export interface SrtGateOptions {
  readonly programs: Pick<Programs, 'ffmpeg' | 'keep'>
  readonly admit: (request: PublishRequest, session: IngestSession) => Promise<Publication | Refused>
  readonly admitPlayer: (request: PlayRequest) => Promise<Playback | Refused>
  readonly keyOf: (request: KeyRequest) => Promise<{ readonly key: string } | Refused>
  /** An encoder named a project and encrypts by another key. */
  readonly onWrongPassphrase?: (request: KeyRequest) => void
}

/** Returns the decisions about callers. Refusals are codes, because SRT has no messages. */
export function srtGate({
  programs,
  admit,
  admitPlayer,
  keyOf,
  onWrongPassphrase,
}: SrtGateOptions): Pick<SrtOptions, 'admit' | 'keyOf' | 'onWrongKey'> {
  const codeOf = ({ code = refusal.forbidden }: Refused) => ({ refuse: code })
  return {
    async admit(caller) {
      if (!(await programs.ffmpeg)) return { refuse: refusal.unimplemented }
      const session = caller.mode === 'publish' ? await admitEncoder(caller) : await admitViewer(caller)
      return 'refuse' in session ? codeOf(session) : session
    },
    async keyOf(request) {
      const found = await keyOf(request)
      return 'refuse' in found ? codeOf(found) : found.key
    },
    onWrongKey(request) {
      if (request.mode === 'publish') onWrongPassphrase?.(request)
    },
  }

  async function admitEncoder({ program, mode: _mode, ...caller }: SrtCaller): Promise<SrtSession | Refused> {
    let connection: SrtConnection | null = null
    // SRT cannot send a reason; the events of the broadcast contain it.
    const session: IngestSession = {
      end: () => connection?.end(),
      received: () => connection?.received() ?? 0,
      link: () => connection?.link() ?? plainLink(),
    }
    const publication = await admit({ app: 'live', ...caller, encoder: program }, session)
    if ('refuse' in publication) return publication
    let publisher: SrtPublisher | null = null
    let reason: SrtEnd | 'unreadable' = 'closed'
    return {
      begin(opened) {
        connection = opened
        publisher = new SrtPublisher({
          programs,
          publication,
          onUseless() {
            reason = 'unreadable'
            opened.end()
          },
          onFlushed: () => publication.ended(reason),
        })
      },
      take: (payload) => publisher?.take(payload),
      ended(how) {
        if (reason === 'closed') reason = how
        if (publisher) void publisher.end(how === 'timeout')
        else publication.ended(how)
      },
    }
  }

  async function admitViewer({ key, address }: SrtCaller): Promise<SrtSession | Refused> {
    const playback = await admitPlayer({ key, address, transport: 'srt' })
    if ('refuse' in playback) return playback
    return {
      begin(connection) {
        const [send, queued] = [(piece: Buffer) => connection.send(piece), () => connection.queued()]
        playback.beginTransport({ send, queued, written: () => connection.written(), end: () => connection.end() })
      },
      take: () => undefined,
      ended: playback.ended,
    }
  }
}
