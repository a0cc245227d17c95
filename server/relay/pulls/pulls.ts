// Players that fetch a project's stream by its pull keys. Each has a bounded queue and begins at a keyframe.
import type { Player, TransportPlayer, Viewer } from '#server/relay/ingest/playback.ts'
import type { PullReport } from '#contract/relay/reports.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import { Outlet } from '#server/relay/media/outlet.ts'
import type { TransportStreams } from '#server/relay/srt/transport-streams.ts'

/** Players per key: a pull key is for a studio or a player, not for an audience. */
const playersMax = 20
/** A player that cannot keep up for this time is disconnected. */
const tooSlowMs = 20_000

interface Fetching {
  readonly player: Viewer
  readonly feed: Pick<Outlet, 'close' | 'dropping'>
  slowSince: number | null
}

export class Pulls {
  readonly #hub: Hub
  readonly #limit: () => number
  readonly #keys = new Map<number, Set<Fetching>>()
  readonly #written = new Map<number, number>()
  readonly #transports: TransportStreams
  #at = Date.now()

  /** @param limit queue limit of a player, bytes */
  constructor(hub: Hub, transports: TransportStreams, limit: () => number) {
    this.#hub = hub
    this.#limit = limit
    this.#transports = transports
  }

  /** Returns true when the key allows another player. */
  hasRoom(key: number): boolean {
    return (this.#keys.get(key)?.size ?? 0) < playersMax
  }

  /** Sends FLV packets to a player. @returns a function that stops it */
  add(key: number, player: Player): () => void {
    return this.#keep(key, player, new Outlet(this.#hub, player, this.#limit))
  }

  /** Sends MPEG-TS to a player. @returns a function that stops it */
  addTransport(key: number, player: TransportPlayer): () => void {
    return this.#keep(key, player, this.#transports.add(this.#hub, player))
  }

  #keep(key: number, player: Viewer, feed: Fetching['feed']): () => void {
    const players = this.#keys.get(key) ?? new Set()
    this.#keys.set(key, players)
    const one: Fetching = { player, feed, slowSince: null }
    players.add(one)
    return () => {
      feed.close()
      players.delete(one)
      if (players.size === 0) this.#keys.delete(key)
    }
  }

  /** Disconnects players whose key was deleted. */
  keep(keys: readonly number[]): void {
    for (const [key, players] of this.#keys)
      if (!keys.includes(key)) for (const { player } of players) player.end('The key was taken away')
  }

  /** Reports all keys in use, and disconnects slow players; call it each second. @param now wall clock, milliseconds */
  watch(now: number): PullReport[] {
    const seconds = Math.max(0.001, (now - this.#at) / 1000)
    this.#at = now
    return [...this.#keys].map(([id, players]) => {
      for (const one of players) this.#check(one, now)
      const written = [...players].reduce((sum, { player }) => sum + player.written(), 0)
      const before = this.#written.get(id) ?? 0
      this.#written.set(id, written)
      return { id, viewers: players.size, kbps: Math.max(0, Math.round(((written - before) * 8) / 1000 / seconds)) }
    })
  }

  /** The project is off air. */
  end(): void {
    for (const players of this.#keys.values()) for (const { player } of players) player.end('The stream is over')
  }

  #check(one: Fetching, now: number): void {
    one.slowSince = one.feed.dropping ? (one.slowSince ?? now) : null
    if (one.slowSince !== null && now - one.slowSince >= tooSlowMs) one.player.end('The connection is too slow')
  }
}
