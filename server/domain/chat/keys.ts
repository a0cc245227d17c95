// Chat keys: overlays read a project's broadcasts with them, docks also write. The first one is created on the first read.
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { isFound, newStreamKey, secretKind } from '#server/core/found-secrets.ts'
import { networkOf } from '#server/core/limits.ts'
import type { ReadDb } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import {
  type ChatKeyRow,
  findKey,
  findKeyByHash,
  insertKey,
  listKeys,
  listReadKeys,
  updateKeyRevoked,
  updateKeyUse,
} from './keys-store.ts'

const secrets = secretKind('chat key')
const wrongKeysPerMinute = 30
const keysMax = 50
/** Resolution of `date_use`, milliseconds. */
const useMs = 60_000

/**
 * Returns the first key of a project that only reads. Creates one where the project has none, or none that can be read:
 * `SECRET` has changed since.
 */
export async function readChatKey(services: Services, projectId: number): Promise<string> {
  const { db } = services
  const known = await firstReadable(services, db, projectId)
  // Of two concurrent calls one inserts its key, and both return that one.
  return (
    known ??
    (await transaction(db, async (trx) => {
      await lockProject(trx, projectId)
      const first = await firstReadable(services, trx, projectId)
      return first ?? (await create(services, trx, { projectId, name: '', rights: 'read' })).key
    }))
  )
}

async function firstReadable(services: Reading<Services>, db: ReadDb, projectId: number): Promise<string | null> {
  for (const row of await listReadKeys(db, projectId)) {
    const key = secrets.read(services, row)
    if (key !== null) return key
  }
  return null
}

/**
 * Adds a key to a project.
 * @returns the row, and the key, which is not returned again
 * @throws RuleError `TooManyKeys`
 */
export async function addChatKey(
  services: Services,
  { projectId, ...of }: { readonly projectId: number; readonly name: string; readonly rights: ChatKeyRow['rights'] },
): Promise<{ readonly row: ChatKeyRow; readonly key: string }> {
  return transaction(services.db, async (trx) => {
    await lockProject(trx, projectId)
    const keys = await listKeys(trx, projectId)
    if (keys.length >= keysMax) throw new RuleError('TooManyKeys', { max: keysMax })
    return create(services, trx, { projectId, ...of })
  })
}

async function create(
  services: Services,
  trx: Parameters<typeof insertKey>[0],
  {
    projectId,
    name,
    rights,
  }: { readonly projectId: number; readonly name: string; readonly rights: ChatKeyRow['rights'] },
) {
  const key = newStreamKey()
  const row = await insertKey(trx, {
    project_id: projectId,
    name,
    rights,
    hint: key.slice(-4),
    ...secrets.store(services, key),
    date_create: iso(services.clock.now()),
    date_use: null,
    date_revoke: null,
  })
  return { row, key }
}

/**
 * Revokes a key, and ends its connections on all replicas.
 * @param mayWrite whether the caller may revoke keys that write
 * @throws RuleError `KeyNotFound`, `OwnerNeeded`
 */
export async function revokeChatKey(
  services: Services,
  { projectId, keyId, mayWrite }: { readonly projectId: number; readonly keyId: number; readonly mayWrite: boolean },
): Promise<void> {
  await transaction(services.db, async (trx) => {
    const row = await findKey(trx, projectId, keyId)
    if (!row) throw new RuleError('KeyNotFound')
    if (row.rights === 'write' && !mayWrite) throw ownerNeeded()
    await updateKeyRevoked(trx, row.id, iso(services.clock.now()))
  })
  services.realtime.recheck()
}

/** Refusal of an editor that adds or revokes a key that writes. */
export const ownerNeeded = () => new RuleError('OwnerNeeded')

/**
 * Returns an active key by its value.
 * @param address of the caller: wrong keys are counted by its network
 * @throws RuleError `KeyNotFound`; RateLimitedError
 */
export async function admitChatKey(services: Services, key: string, address: string): Promise<ChatKeyRow> {
  const { db, clock, limits } = services
  const hash = secrets.hashOf(services, key)
  const row = await findKeyByHash(db, hash)
  if (!isFound(row, hash)) {
    limits.countGuess(`chat-key ${networkOf(address)}`, wrongKeysPerMinute)
    throw new RuleError('KeyNotFound')
  }
  const now = clock.now()
  const due = iso(later(now, -useMs))
  if (row.date_use === null || row.date_use < due) await updateKeyUse(db, row.id, { at: iso(now), ifBefore: due })
  return row
}
