// Room of ingest servers for films: which files they can play.
import type { ServersForFilm } from '#contract/entities/media.ts'
import { iso, later } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { staleAfterMs } from './health.ts'
import { listNodeRows } from './nodes-store.ts'
import type { NodeAbout } from './servers.ts'

/** Most bytes of one film. */
export interface FilmRoom {
  /** At the server with the least room. */
  readonly least: number
  /** At the one with the most; Infinity where one reported no size. */
  readonly most: number
}

/** A film of the library; `bytes`: of the prepared file. */
interface Sized {
  readonly name: string
  readonly bytes: number
}

/** Returns the room of the servers that play films now; null: none has reported it. */
export async function findFilmRoom(db: ReadDb, now: Date): Promise<FilmRoom | null> {
  const after = iso(later(now, -staleAfterMs))
  const rows = (await listNodeRows(db)).filter(({ date_report }) => date_report >= after)
  const players = rows.map(({ about }) => JSON.parse(about) as NodeAbout).filter(({ plays }) => plays)
  const known = players.flatMap(({ filmBytesMax }) => filmBytesMax ?? [])
  if (known.length === 0) return null
  return { least: Math.min(...known), most: known.length < players.length ? Infinity : Math.max(...known) }
}

/** Returns which servers have room for a film; undefined: all, or nothing is known. */
export function serversFor(room: FilmRoom | null, bytes: number): ServersForFilm | undefined {
  if (!room || bytes <= room.least) return undefined
  return bytes <= room.most ? 'some' : 'none'
}

/** @throws RuleError `FilmTooLarge` for a film that no server has room for */
export function checkFilmRoom(room: FilmRoom | null, { name, bytes }: Sized): void {
  if (!room || serversFor(room, bytes) !== 'none') return
  const [size, max] = [Math.ceil(bytes / 1_000_000), Math.floor(room.most / 1_000_000)]
  throw new RuleError('FilmTooLarge', { max: room.most }, { name, size, max })
}
