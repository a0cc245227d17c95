// Refused encoders in the history of their project: without an entry, an owner sees neither a forgotten encoder nor a stolen key.
import { type encoderRefusalReasons } from '#contract/entities/history.ts'
import { later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { isOverLimit, networkOf } from '#server/core/limits.ts'
import { transaction } from '#server/db/transaction.ts'
import { isIP } from 'node:net'
import { recordHistory } from '#server/domain/projects/history.ts'
import { listDetailsSince } from '#server/domain/projects/history-store.ts'
import { findStreamKey } from '#server/domain/ingest/stream-keys-store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'

export type EncoderRefusalReason = (typeof encoderRefusalReasons)[number]

const action = 'encoder_refused'
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const entriesPerDay = 10
/** Lookups of a project, which encoders that retry in a loop cause. */
const lookupsPerMinute = 30

/** A refused encoder. */
export interface EncoderAtDoor {
  readonly projectId: number
  readonly address: string
  readonly reason: EncoderRefusalReason
}

/** Records a refused encoder: once an hour for each network and reason, and ten times a day at most. */
export async function recordEncoderRefusal(
  { clock, db, limits }: Pick<Services, 'clock' | 'db' | 'limits'>,
  { projectId, address, reason }: EncoderAtDoor,
): Promise<void> {
  if (isOverLimit(limits, `encoder-refused ${projectId}`, lookupsPerMinute)) return
  // A number that an SRT caller made up.
  if (!(await findStreamKey(db, projectId))) return
  const details = { network: networkText(address), reason }
  const now = clock.now()
  await transaction(db, async (trx) => {
    await lockProject(trx, projectId)
    const since = later(now, -dayMs).toISOString()
    const known = await listDetailsSince(trx, { projectId, action, since })
    const hour = later(now, -hourMs).toISOString()
    const isKnown = known.some((one) => one.details === JSON.stringify(details) && one.date_create >= hour)
    if (isKnown || known.length >= entriesPerDay) return
    await recordHistory({ clock }, trx, { projectId, userId: null, action, details })
  })
}

/** Network of an address: /24 of IPv4, /64 of IPv6; empty for other text. @example networkText('203.0.113.7') // '203.0.113.0/24' */
export function networkText(address: string): string {
  if (isIP(address.split('%', 1)[0] ?? '') === 0) return ''
  const network = networkOf(address)
  return isIP(network) === 4 ? `${network.split('.').slice(0, 3).join('.')}.0/24` : `${network}::/64`
}
