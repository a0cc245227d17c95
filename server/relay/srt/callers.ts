// Who calls: answered without keeping anything until it has shown that it gets our answers; then somebody decides about its
// stream id, and it gets a connection (draft-sharabayko-srt 4.3.1).
import { randomInt } from 'node:crypto'
import { networkOf } from '#server/core/limits.ts'
import { type Ask, readAsk, writeRefusal, writeWelcome } from './conclusion.ts'
import { SrtConnection, type SrtEnd, type SrtSecret } from './connection.ts'
import { Cookies } from './cookies.ts'
import { unwrap } from './encryption.ts'
import {
  type Handshake,
  handshakeType,
  readHandshake,
  type Refusal,
  refusal,
  srtMagic,
  writeHandshake,
} from './handshake.ts'
import { type ControlPacket, controlType, readPacket, writeControl } from './packets.ts'
import { windowPackets } from './receiver.ts'
import type { StreamId } from './stream-id.ts'

/** Where a datagram comes from, and goes to. */
export interface Peer {
  readonly address: string
  readonly port: number
}

/** Who calls. The key is a secret. */
export interface SrtCaller {
  readonly mode: StreamId['mode']
  readonly key: string
  /** It did not say the key, but encrypts by it. */
  readonly isEncrypted: boolean
  readonly address: string
  /** What it calls itself. */
  readonly program: string
}

/** Somebody who was let in. */
export interface SrtGuest {
  begin(connection: SrtConnection): void
  /** A piece of its stream, in order. */
  take(payload: Buffer): void
  ended(why: SrtEnd): void
}

/** Whose key is asked for: of a project's encoder, or of a pull key. */
export interface KeyQuestion {
  readonly mode: StreamId['mode']
  readonly number: number
  readonly address: string
}

export interface SrtOptions {
  /** Decides about a caller. Must not reject. */
  readonly admit: (caller: SrtCaller) => Promise<SrtGuest | { readonly refuse: Refusal }>
  /** The key that a caller encrypts by, by its number. Must not reject. */
  readonly keyOf: (asked: KeyQuestion) => Promise<string | { readonly refuse: Refusal }>
  /** How long packets may take at least, milliseconds; a caller may want more. */
  readonly latencyMs: number
  /** Callers of one address that are being decided about. */
  readonly strangersMax: number
}

/** All who call on one port. */
export interface Callers {
  /** A datagram. Whatever it is, nothing is thrown. */
  take(bytes: Buffer, from: Peer): void
  /** Callers that are here, and those that are being decided about. */
  sizes(): { readonly connections: number; readonly asked: number }
  close(): void
}

interface Judged {
  readonly verdict: SrtGuest | { readonly refuse: Refusal }
  readonly secret: SrtSecret | null
}

interface Place {
  readonly connection: SrtConnection
  readonly who: string
  /** What it was told when it was let in; a caller that did not hear it asks again. */
  readonly welcome: Buffer
}

const tickMs = 10
/** Callers of all addresses that are being decided about. */
const askedMax = 500

/** @param put sends a datagram */
export function createCallers(
  put: (packet: Buffer, to: Peer) => void,
  { admit, keyOf, latencyMs, strangersMax }: SrtOptions,
): Callers {
  const cookies = new Cookies()
  const places = new Map<number, Place>()
  /** Who has a place, and who is being decided about, by address, port and their own number. */
  const placeOf = new Map<string, number>()
  const asked = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined

  const shake = (said: Handshake, to: Peer, peer: number) => {
    const packet = writeControl(controlType.handshake, { timestamp: 0, destination: peer, body: writeHandshake(said) })
    put(packet, to)
    return packet
  }

  function take(bytes: Buffer, from: Peer) {
    const packet = readPacket(bytes)
    if (!packet) return
    if (packet.isControl && packet.type === controlType.handshake) return greet(packet, from)
    const place = places.get(packet.destination)
    if (place?.who.startsWith(`${addressOf(from)} `)) place.connection.take(packet)
  }

  function greet({ body }: ControlPacket, from: Peer) {
    const said = readHandshake(body)
    if (said?.type === handshakeType.induction && said.version >= 4) return induce(said, from)
    if (said?.type === handshakeType.conclusion) conclude(said, from)
  }

  /** Nothing is kept, and the answer is no longer than the question. */
  function induce(said: Handshake, from: Peer) {
    const cookie = cookies.of(addressOf(from))
    shake({ ...said, version: 5, encryption: 0, extension: srtMagic, cookie, extensions: [] }, from, said.socket)
  }

  function conclude(said: Handshake, from: Peer) {
    if (!cookies.accepts(said.cookie, addressOf(from))) return
    const who = `${addressOf(from)} ${said.socket}`
    const place = places.get(placeOf.get(who) ?? -1)
    if (place) return put(place.welcome, from)
    if (asked.has(who)) return
    const ask = readAsk(said)
    if (typeof ask === 'number') return void shake(writeRefusal(said, ask), from, said.socket)
    const network = networkOf(from.address)
    const beside = [...asked.values()].filter((one) => one === network).length
    if (asked.size >= askedMax || beside >= strangersMax)
      return void shake(writeRefusal(said, refusal.overload), from, said.socket)
    asked.set(who, network)
    void decide(said, ask, from, who).catch(() => asked.delete(who))
  }

  async function decide(said: Handshake, ask: Ask, from: Peer, who: string) {
    const { verdict, secret } = await judge(ask, from.address).catch(() => ({
      verdict: { refuse: refusal.down },
      secret: null,
    }))
    // Closed in the meantime.
    if (!asked.delete(who)) return 'refuse' in verdict ? undefined : verdict.ended('closed')
    if ('refuse' in verdict) return void shake(writeRefusal(said, verdict.refuse), from, said.socket)
    seat(verdict, said, { ...ask, secret }, from, who)
  }

  async function judge({ stream: { mode, key, number }, material, program }: Ask, address: string): Promise<Judged> {
    const right = number === null ? key : await keyOf({ mode, number, address })
    if (typeof right !== 'string') return { verdict: right, secret: null }
    const keys = material && (await unwrap(material, right))
    if (material && !keys) return { verdict: { refuse: refusal.badSecret }, secret: null }
    const verdict = await admit({ mode, key: right, isEncrypted: material !== null, address, program })
    return { verdict, secret: keys && { keys, passphrase: right } }
  }

  function seat(guest: SrtGuest, said: Handshake, ask: Ask & Pick<Judged, 'secret'>, from: Peer, who: string) {
    let id = 0
    while (id === 0 || places.has(id)) id = randomInt(1, 2 ** 30)
    const wait = Math.max(latencyMs, ask.latencyMs)
    const connection = new SrtConnection({
      mode: ask.stream.mode,
      peer: said.socket,
      first: said.sequence,
      latencyMs: wait,
      window: said.window,
      secret: ask.secret,
      out: (packet) => put(packet, from),
      onPayload: (payload) => guest.take(payload),
      onEnd(why) {
        places.delete(id)
        placeOf.delete(who)
        if (places.size === 0) rest()
        guest.ended(why)
      },
    })
    const welcome = shake(writeWelcome(said, { socket: id, window: windowPackets, latencyMs: wait }), from, said.socket)
    places.set(id, { connection, who, welcome })
    placeOf.set(who, id)
    timer ??= setInterval(tick, tickMs)
    guest.begin(connection)
  }

  function rest() {
    clearInterval(timer)
    timer = undefined
  }

  function tick() {
    for (const { connection } of places.values()) {
      try {
        connection.tick()
      } catch {
        // It costs its own connection.
        connection.end()
      }
    }
  }

  return {
    // The parser faces the internet: whatever comes, the next datagram is another one.
    take(bytes, from) {
      try {
        take(bytes, from)
      } catch {
        // It costs itself.
      }
    },
    sizes: () => ({ connections: places.size, asked: asked.size }),
    close() {
      asked.clear()
      for (const { connection } of places.values()) connection.end()
      rest()
    },
  }
}

const addressOf = ({ address, port }: Peer): string => `${address}:${port}`
