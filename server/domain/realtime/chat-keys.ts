// Chat keys: overlays read a project's broadcasts with them. Created on the first read.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { isFound, newStreamKey, secretKind } from '#server/core/found-secrets.ts'
import { findChatKey, findChatKeyByHash, insertChatKey } from './store.ts'

const secrets = secretKind('chat key')
const wrongKeysPerMinute = 30

/** Reads the chat key of a project. */
export async function readChatKey(services: Services, projectId: number): Promise<string> {
  const { db } = services
  const known = await findChatKey(db, projectId)
  if (known) return secrets.show(services, known)
  // Of two concurrent calls one inserts its key, and both return that one.
  await insertChatKey(db, { project_id: projectId, ...secrets.store(services, newStreamKey()) })
  const created = await findChatKey(db, projectId)
  if (!created) throw new Error(`Project ${projectId} has no chat key after the insert`)
  return secrets.show(services, created)
}

/**
 * Returns the project of a key.
 * @param address of the caller: wrong keys are counted by its network
 * @throws RuleError `KeyNotFound`; RateLimitedError
 */
export async function projectOfChatKey(services: Services, key: string, address: string): Promise<number> {
  const hash = secrets.hashOf(services, key)
  const row = await findChatKeyByHash(services.db, hash)
  if (isFound(row, hash)) return row.project_id
  services.limits.count(`chat-key ${networkOf(address)}`, wrongKeysPerMinute)
  throw new RuleError('KeyNotFound', 'No project has this key')
}
