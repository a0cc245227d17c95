// Bonded encoders on the SRT port: several paths of one caller (SRTLA, as BELABOX describes it). A bond is one peer of the callers.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { networkOf } from '#server/core/limits.ts'
import type { PathFigures } from '#server/relay/ingest/publication.ts'
import { addressOf, type Callers, type Flow, type Peer } from './callers.ts'
import { controlType, headerBytes } from './packets.ts'

/** Types of SRTLA packets, in their first two bytes. No control type of SRT begins with these four bits. */
const bondType = {
  keepalive: 0x9000,
  acknowledgement: 0x9100,
  create: 0x9200,
  join: 0x9201,
  joined: 0x9202,
  failed: 0x9210,
  unknown: 0x9211,
} as const
const firstBits = 9
/** First bit of a control packet of SRT. */
const controlFlag = 0x8000
const typeBytes = 2
/** Half of the id of a bond: the first one is of the encoder, the second of the relay. */
const halfBytes = 128
const idBytes = 2 * halfBytes
/** Data packets of a path that one acknowledgement names. */
const acknowledged = 10

/** An id is valid in its slot and in the next one, milliseconds. */
const slotMs = 30_000
/** A path without datagrams is removed after this time, milliseconds. */
const pathSilentMs = 15_000
/** A path without datagrams may join another bond after this time, milliseconds: senders give a path up after it. */
const pathLooseMs = 4_000
/** A bond without an admitted caller is removed after this time, milliseconds. */
const bondUnusedMs = 10_000
const sweepMs = 1_000
/** Weight of the last second in the rate of a path. */
const smoothing = 0.3

const pathsMax = 16
const bondsMax = 200
const bondsOfNetworkMax = 20
/** Ports of bonds are above those of addresses. */
const firstPort = 0x1_0000

export interface BondOptions {
  /** Passes a datagram to the callers. */
  readonly take: Callers['take']
  readonly send: (packet: Buffer, to: Peer) => void
  /** Opens a socket for a path, where several processes share the port. Default: the shared socket. */
  readonly openFlow?: ((to: Peer) => Promise<Flow>) | undefined
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/** All bonds of one port. */
export interface Bonds {
  /** Handles a datagram of any peer. Never throws. */
  take(bytes: Buffer, from: Peer): void
  /** Sends a packet of the callers to a bond, or to an address. */
  send(packet: Buffer, to: Peer): void
  /** Returns the flow to a bond for an admitted caller; null: the peer is an address. @throws when the bond has ended */
  flowTo(to: Peer): Flow | null
  sizes(): { readonly bonds: number; readonly paths: number }
  close(): void
}

interface Path {
  readonly bond: Bond
  readonly peer: Peer
  /** null: its socket is not open yet. */
  flow: Flow | null
  heardAt: number
  /** A path receives no more bytes than it has sent, so that a forged address is of no use. */
  received: number
  sent: number
  packets: number
  /** Packets at the last sweep, and the smoothed number between two. */
  measured: number
  rate: number
  sequences: number[]
}

interface Bond {
  readonly id: string
  readonly network: string
  readonly peer: Peer
  readonly paths: Map<string, Path>
  last: Path | null
  callers: number
  unusedSince: number
}

/** Creates the bonds of a port. */
export const createBonds = (options: BondOptions): Bonds => new SrtBonds(options)

class SrtBonds implements Bonds {
  readonly #options: BondOptions
  readonly #now: () => number
  readonly #secret = randomBytes(32)
  readonly #bonds = new Map<string, Bond>()
  readonly #byPort = new Map<number, Bond>()
  readonly #paths = new Map<string, Path>()
  #nextPort = firstPort
  #timer: NodeJS.Timeout | undefined

  constructor(options: BondOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  take = (bytes: Buffer, from: Peer): void => {
    // Nothing can be sent there: Node throws.
    if (from.port === 0) return
    const path = this.#paths.get(addressOf(from))
    if (bytes.length >= typeBytes && (bytes[0] ?? 0) >> 4 === firstBits) this.#control(bytes, from, path)
    else if (path) this.#data(bytes, path)
    else this.#options.take(bytes, from)
  }

  send = (packet: Buffer, to: Peer): void => {
    const bond = this.#byPort.get(to.port)
    if (bond) this.#sendTo(bond, packet)
    // A bond that has ended has no address.
    else if (to.port < firstPort) this.#options.send(packet, to)
  }

  flowTo = ({ port }: Peer): Flow | null => {
    const bond = this.#byPort.get(port)
    if (!bond && port < firstPort) return null
    if (!bond) throw new Error('The bond has ended')
    bond.callers++
    return {
      send: (packet) => this.#sendTo(bond, packet),
      paths: () => figuresOf(bond),
      close: () => {
        bond.callers--
        bond.unusedSince = this.#now()
      },
    }
  }

  sizes = (): ReturnType<Bonds['sizes']> => ({ bonds: this.#bonds.size, paths: this.#paths.size })

  close(): void {
    for (const bond of this.#bonds.values()) this.#end(bond)
  }

  #control(bytes: Buffer, from: Peer, path: Path | undefined): void {
    const type = bytes.readUInt16BE(0)
    const id = bytes.length === typeBytes + idBytes ? bytes.subarray(typeBytes) : null
    if (type === bondType.create && id) this.#options.send(this.#welcome(id), from)
    else if (type === bondType.join && id) this.#join(id, from, path)
    else if (type === bondType.keepalive && path) {
      this.#hear(path, bytes)
      this.#put(path, bytes)
    }
  }

  #hear(path: Path, bytes: Buffer): void {
    path.heardAt = this.#now()
    path.received += bytes.length
  }

  #data(bytes: Buffer, path: Path): void {
    this.#hear(path, bytes)
    path.bond.last = path
    // A control packet of SRT has the first bit.
    if (bytes.length >= headerBytes && (bytes[0] ?? 0) < 0x80) this.#acknowledge(path, bytes.readUInt32BE(0))
    this.#options.take(bytes, path.bond.peer)
  }

  /** Names the packets that came by a path: the sender shifts load to paths that deliver. */
  #acknowledge(path: Path, sequence: number): void {
    path.packets++
    path.sequences.push(sequence)
    if (path.sequences.length < acknowledged) return
    const packet = Buffer.alloc(4 * (1 + acknowledged))
    packet.writeUInt16BE(bondType.acknowledgement, 0)
    for (const [index, one] of path.sequences.entries()) packet.writeUInt32BE(one, 4 * (1 + index))
    path.sequences = []
    this.#put(path, packet)
  }

  /** Stateless, and as long as the request. */
  #welcome(id: Buffer): Buffer {
    const theirs = id.subarray(0, halfBytes)
    return Buffer.concat([typeOf(bondType.join), theirs, this.#ours(theirs, this.#slot())])
  }

  #slot = (): number => Math.floor(this.#now() / slotMs)

  #ours(theirs: Buffer, slot: number): Buffer {
    const half = (part: number) => createHmac('sha512', this.#secret).update(theirs).update(`${slot} ${part}`).digest()
    return Buffer.concat([half(0), half(1)])
  }

  #isOwn(id: Buffer): boolean {
    const [theirs, ours] = [id.subarray(0, halfBytes), id.subarray(halfBytes)]
    return [0, 1].some((ago) => timingSafeEqual(ours, this.#ours(theirs, this.#slot() - ago)))
  }

  #join(id: Buffer, from: Peer, path: Path | undefined): void {
    const refuse = (type: number) => this.#options.send(typeOf(type), from)
    const bond = this.#bonds.get(id.toString('latin1'))
    if (path && path.bond === bond) {
      this.#hear(path, id)
      return this.#put(path, typeOf(bondType.joined))
    }
    if (!bond && !this.#isOwn(id)) return refuse(bondType.unknown)
    // The address may be forged: it takes no path from a bond that uses it.
    if (path && this.#now() - path.heardAt < pathLooseMs) return refuse(bondType.failed)
    const joined = bond ?? this.#begin(id, from)
    if (!joined || joined.paths.size >= pathsMax) return refuse(bondType.failed)
    if (path) this.#remove(path)
    void this.#add(joined, from, id.length)
  }

  /** @returns null when there are too many bonds */
  #begin(id: Buffer, { address }: Peer): Bond | null {
    const network = networkOf(address)
    const own = [...this.#bonds.values()].filter((bond) => bond.network === network).length
    if (this.#bonds.size >= bondsMax || own >= bondsOfNetworkMax) return null
    const bond: Bond = {
      id: id.toString('latin1'),
      network,
      peer: { address, port: this.#nextPort++ },
      paths: new Map(),
      last: null,
      callers: 0,
      unusedSince: this.#now(),
    }
    this.#bonds.set(bond.id, bond)
    this.#byPort.set(bond.peer.port, bond)
    this.#timer ??= setInterval(() => this.#sweep(), sweepMs)
    return bond
  }

  /** Adds a path. It is joined when its socket is open. */
  async #add(bond: Bond, peer: Peer, received: number): Promise<void> {
    const { openFlow, send } = this.#options
    const flow = openFlow ? null : { send: (packet: Buffer) => send(packet, peer), close: () => undefined }
    const path: Path = {
      bond,
      peer,
      flow,
      heardAt: this.#now(),
      received,
      sent: 0,
      packets: 0,
      measured: 0,
      rate: 0,
      sequences: [],
    }
    bond.paths.set(addressOf(peer), path)
    this.#paths.set(addressOf(peer), path)
    if (openFlow) {
      const opened = await openFlow(peer).catch(() => null)
      if (this.#paths.get(addressOf(peer)) !== path) return opened?.close()
      if (!opened) {
        this.#remove(path)
        return send(typeOf(bondType.failed), peer)
      }
      path.flow = opened
    }
    this.#put(path, typeOf(bondType.joined))
  }

  /** An acknowledgement goes by all paths, because the sender frees its queues by it; others go by the path heard last. */
  #sendTo(bond: Bond, packet: Buffer): void {
    const type = packet.length >= typeBytes ? packet.readUInt16BE(0) : 0
    const isForAll = type === controlFlag + controlType.acknowledgement
    const paths = isForAll ? bond.paths.values() : bond.last ? [bond.last] : []
    for (const path of paths) this.#put(path, packet)
  }

  #put(path: Path, packet: Buffer): void {
    if (!path.flow || path.sent + packet.length > path.received) return
    path.sent += packet.length
    path.flow.send(packet)
  }

  #remove(path: Path): void {
    const { bond, peer, flow } = path
    bond.paths.delete(addressOf(peer))
    this.#paths.delete(addressOf(peer))
    if (bond.last === path) bond.last = null
    flow?.close()
  }

  #end(bond: Bond): void {
    for (const path of bond.paths.values()) this.#remove(path)
    this.#bonds.delete(bond.id)
    this.#byPort.delete(bond.peer.port)
    if (this.#bonds.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #sweep(): void {
    const now = this.#now()
    for (const path of this.#paths.values()) measure(path)
    for (const path of this.#paths.values()) if (now - path.heardAt >= pathSilentMs) this.#remove(path)
    for (const bond of this.#bonds.values())
      if (bond.callers === 0 && now - bond.unusedSince >= bondUnusedMs) this.#end(bond)
  }
}

const typeOf = (type: number): Buffer => {
  const bytes = Buffer.alloc(typeBytes)
  bytes.writeUInt16BE(type, 0)
  return bytes
}

/** Call it once a second. */
function measure(path: Path): void {
  path.rate += ((path.packets - path.measured) / (sweepMs / 1_000) - path.rate) * smoothing
  path.measured = path.packets
}

/** Returns the packets of each path, in the order in which the paths joined. */
const figuresOf = ({ paths }: Bond): readonly PathFigures[] =>
  [...paths.values()].map(({ packets, rate }) => ({ packets, rate }))
