// SRT's way into the relay: who calls is asked about as an encoder or a player by RTMP is, and its stream is turned into what
// the relay passes on.
import type { PlayRequest, Playback } from '#server/relay/ingest/player.ts'
import type { IngestSession, Publication, PublishRequest, Refused } from '#server/relay/ingest/session.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import type { SrtConnection, SrtEnd } from './connection.ts'
import { refusal } from './handshake.ts'
import type { KeyQuestion, SrtCaller, SrtGuest, SrtOptions } from './callers.ts'
import { SrtPublisher } from './publisher.ts'

export interface DoorOptions {
  readonly programs: Pick<Programs, 'ffmpeg' | 'keep'>
  readonly admit: (request: PublishRequest, session: IngestSession) => Promise<Publication | Refused>
  readonly admitPlayer: (request: PlayRequest) => Promise<Playback | Refused>
  readonly keyOf: (asked: KeyQuestion) => Promise<{ readonly key: string } | Refused>
}

/** Who may come in by SRT. SRT has numbers where RTMP has words. */
export function srtDoor({ programs, admit, admitPlayer, keyOf }: DoorOptions): Pick<SrtOptions, 'admit' | 'keyOf'> {
  const codeOf = ({ code = refusal.forbidden }: Refused) => ({ refuse: code })
  return {
    async admit(caller) {
      if (!(await programs.ffmpeg)) return { refuse: refusal.unimplemented }
      const guest = caller.mode === 'publish' ? await letPublish(caller) : await letPlay(caller)
      return 'refuse' in guest ? codeOf(guest) : guest
    },
    async keyOf(asked) {
      const found = await keyOf(asked)
      return 'refuse' in found ? codeOf(found) : found.key
    },
  }

  async function letPublish({ key, isEncrypted, address, program }: SrtCaller): Promise<SrtGuest | Refused> {
    let connection: SrtConnection | null = null
    // SRT cannot say why a connection ends: the events of the broadcast do.
    const session: IngestSession = {
      end: () => connection?.end(),
      received: () => connection?.received() ?? 0,
    }
    const publication = await admit({ app: 'live', key, isEncrypted, encoder: program, address }, session)
    if ('refuse' in publication) return publication
    let publisher: SrtPublisher | null = null
    let why: SrtEnd | 'unreadable' = 'closed'
    return {
      begin(begun) {
        connection = begun
        publisher = new SrtPublisher({
          programs,
          publication,
          onUseless() {
            why = 'unreadable'
            begun.end()
          },
          onFlushed: () => publication.ended(why),
        })
      },
      take: (payload) => publisher?.take(payload),
      ended(how) {
        if (why === 'closed') why = how
        if (publisher) void publisher.end()
        else publication.ended(how)
      },
    }
  }

  async function letPlay({ key, address }: SrtCaller): Promise<SrtGuest | Refused> {
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
