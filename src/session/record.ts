// Parser and clean form of the ledger's record.
import type { Pause, TokenPair, TokenRecord } from './types.ts'

/**
 * Parses a record; undefined for a missing or invalid one. A record of a newer version of this code is invalid too,
 * and must not be overwritten.
 * @throws Error when about to write over a newer record
 */
export function parseRecord(raw: unknown, toWrite = false): TokenRecord | null {
  const record = raw as TokenRecord | null | undefined
  if (record?.schema !== 1) {
    if (toWrite && (record?.schema as unknown as number) > 1) throw new Error('Stored by a newer version')
    return null
  }
  const { sessionId, generation, pair } = record
  const isWhole = sessionId && generation > 0 && (pair === null || (pair?.accessToken && pair.refreshToken))
  return isWhole ? record : null
}

/** The first or next pair of a session: without lease, pauses and marks of the previous one. */
export const freshRecord = (
  of: Pick<TokenRecord, 'sessionId' | 'generation' | 'fingerprint' | 'revoke'>,
  pair: TokenPair,
  now: number,
): TokenRecord => ({
  schema: 1,
  sessionId: of.sessionId,
  generation: of.generation + 1,
  pair,
  obtainedAt: now,
  ...(of.fingerprint === undefined ? {} : { fingerprint: of.fingerprint }),
  ...pendingOf(of),
})

/** Revocations without an answer, and that of `refresh`; they outlive sessions. */
export const pendingOf = (of: Pick<TokenRecord, 'revoke'> | null, refresh?: string): Pick<TokenRecord, 'revoke'> => ({
  revoke: (of?.revoke ?? []).concat(refresh ?? []),
})

/** Tombstone of a session that has ended. @param refresh token to revoke on the server */
export const tombstone = (of: TokenRecord, ended: 'user' | 'expired', now: number, refresh?: string): TokenRecord => ({
  schema: 1,
  sessionId: of.sessionId,
  generation: of.generation,
  pair: null,
  obtainedAt: now,
  ended,
  ...pendingOf(of, refresh),
})

/** Rest of a pause, ms; 0 without one, and when the clock was set back to before its start. */
export const pauseLeft = (pause: Pause | undefined, now: number): number =>
  pause && pause.since <= now ? Math.max(pause.until - now, 0) : 0
