// The stats key of a project: programs such as NOALBS read the figures of its encoder with it, and nothing else.
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { isFound, newStreamKey, secretKind } from '#server/core/found-secrets.ts'
import { networkOf } from '#server/core/limits.ts'
import { transaction } from '#server/db/transaction.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { findStatsKey, findStatsKeyByHash, insertStatsKey, upsertStatsKey } from './stats-keys-store.ts'

const secrets = secretKind('stats key')
const wrongKeysPerMinute = 30
/** Requests of a key a minute: ten a second. */
const requestsPerMinute = 600

const rowOf = (services: Services, projectId: number, key: string) => ({
  project_id: projectId,
  ...secrets.store(services, key),
  date_rotate: iso(services.clock.now()),
})

/** Returns the stats key of a project, and creates it on the first call. @throws RuleError `KeyUnreadable` */
export async function readStatsKey(services: Services, projectId: number): Promise<string> {
  const { db } = services
  const row =
    (await findStatsKey(db, projectId)) ??
    (await transaction(db, (trx) => insertStatsKey(trx, rowOf(services, projectId, newStreamKey()))))
  return secrets.show(services, row)
}

/** Replaces the stats key. The old one is refused immediately. @returns the new one */
export async function rotateStatsKey(
  services: Services,
  { projectId, userId }: { readonly projectId: number; readonly userId: number },
): Promise<string> {
  const key = newStreamKey()
  await transaction(services.db, async (trx) => {
    await upsertStatsKey(trx, rowOf(services, projectId, key))
    await recordHistory(services, trx, { projectId, userId, action: 'stats_key_rotated' })
  })
  return key
}

/**
 * Returns the project of a stats key, and counts the request.
 * @param address of the caller: wrong keys are counted by its network
 * @throws NotFoundError for an unknown or replaced key; RateLimitedError
 */
export async function admitStatsKey(
  services: Reading<Pick<Services, 'db' | 'config' | 'limits'>>,
  key: string,
  address: string,
): Promise<number> {
  const hash = secrets.hashOf(services, key)
  const row = await findStatsKeyByHash(services.db, hash)
  if (!isFound(row, hash)) {
    services.limits.countGuess(`stats-key ${networkOf(address)}`, wrongKeysPerMinute)
    throw new NotFoundError()
  }
  services.limits.count(`stats ${row.project_id}`, requestsPerMinute)
  return row.project_id
}
