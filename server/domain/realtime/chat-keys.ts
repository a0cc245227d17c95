// The key by which overlays read along with a project's broadcasts. Made when it is first asked for.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { isFound, newStreamKey, secretKind } from '#server/core/found-secrets.ts'

const secrets = secretKind('chat key')
const wrongKeysPerMinute = 30

/** Reads the key of a project. */
export async function readChatKey(services: Services, projectId: number): Promise<string> {
  const { db } = services
  const find = () => db.selectFrom('chat_keys').selectAll().where('project_id', '=', projectId).executeTakeFirst()
  const known = await find()
  if (known) return secrets.show(services, known)
  // Of two at a time one makes it.
  await db
    .insertInto('chat_keys')
    .values({ project_id: projectId, ...secrets.store(services, newStreamKey()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await find()
  if (!made) throw new Error('A chat key was made and is not there')
  return secrets.show(services, made)
}

/**
 * Returns the project of a key.
 * @param address of the caller: wrong keys are counted by its network
 * @throws RuleError `KeyNotFound`; RateLimitedError
 */
export async function projectOfChatKey(services: Services, key: string, address: string): Promise<number> {
  const hash = secrets.hashOf(services, key)
  const row = await services.db.selectFrom('chat_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst()
  if (isFound(row, hash)) return row.project_id
  services.limits.count(`chat-key ${networkOf(address)}`, wrongKeysPerMinute)
  throw new RuleError('KeyNotFound', 'No project has this key')
}
