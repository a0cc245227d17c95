// Pull keys: each lets somebody fetch the project's stream from here. As many as the plan gives.
import { randomUUID } from 'node:crypto'
import type { Transport } from '#contract/entities/ingest.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { isFound, secretKind } from '#server/core/found-secrets.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { lockProject, refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'

const secrets = secretKind('pull key')

/** A pull key with its secret. */
export interface PullKey {
  readonly id: number
  readonly key: string
  readonly transport: Transport
  readonly name: string
  readonly region: string
  readonly status: 'active' | 'inactive' | 'error'
}

/** The pull keys of a project, oldest first. */
export async function listPullKeys(services: Services, projectId: number): Promise<PullKey[]> {
  const rows = await services.db
    .selectFrom('pull_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, key: secrets.show(services, row) }))
}

/** Numbers of the keys of a project. */
export async function listPullKeyIds(db: Db, projectId: number): Promise<number[]> {
  const rows = await db.selectFrom('pull_keys').select('id').where('project_id', '=', projectId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** One of a project's pull keys by the key itself. @throws ForbiddenError for one that is not the project's */
export async function getPullKey(services: Services, projectId: number, key: string): Promise<PullKey> {
  const hash = secrets.hashOf(services, key)
  const row = await services.db
    .selectFrom('pull_keys')
    .selectAll()
    .where('key_hash', '=', hash)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!isFound(row, hash)) throw new ForbiddenError()
  return { ...row, key }
}

/** Whoever's key it is: for those who fetch, who say nothing else. */
export async function findPullKey(services: Pick<Services, 'db' | 'config'>, key: string) {
  const hash = secrets.hashOf(services, key)
  const row = await services.db.selectFrom('pull_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst()
  return isFound(row, hash) ? row : null
}

/** A pull key for SRT by its number; null where there is none. */
export async function pullKeyForSrt(services: Pick<Services, 'db' | 'config'>, id: number): Promise<string | null> {
  const rows = services.db.selectFrom('pull_keys').selectAll()
  const row = await rows.where('id', '=', id).where('transport', '=', 'srt').executeTakeFirst()
  return row ? secrets.show(services, row) : null
}

/** Who changes the keys of which project. */
interface Change {
  readonly projectId: number
  readonly userId: number
}

/** Makes a key. @returns its id @throws RuleError `PlanLimitReached` when the plan gives no more */
export function createPullKey(
  services: Services,
  by: Change,
  about: { readonly transport: Transport; readonly name: string },
): Promise<number> {
  return projectTransaction(services.db, by.projectId, async (trx) => {
    await lockProject(trx, by.projectId)
    const { count } = await trx
      .selectFrom('pull_keys')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', by.projectId)
      .executeTakeFirstOrThrow()
    await refuseOverLimit(services, trx, by.projectId, 'pull_links', count + 1)
    const { id } = await trx
      .insertInto('pull_keys')
      .values({
        project_id: by.projectId,
        ...secrets.store(services, randomUUID()),
        ...about,
        region: '',
        status: 'inactive',
        date_create: iso(services.clock.now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordHistory(services, trx, { ...by, action: 'pull_key_created', details: about })
    return id
  })
}

/** Changes what a key is called or where it is fetched from. @throws ForbiddenError for one that is not the project's */
export async function updatePullKey(
  services: Services,
  by: Change,
  key: string,
  change: { readonly name?: string | undefined; readonly region?: string | undefined },
): Promise<void> {
  const { id, ...known } = await getPullKey(services, by.projectId, key)
  const now = { name: change.name ?? known.name, region: change.region ?? known.region }
  await transaction(services.db, async (trx) => {
    await trx.updateTable('pull_keys').set(now).where('id', '=', id).execute()
    await recordHistory(services, trx, { ...by, action: 'pull_key_changed', details: { ...now, was: known.name } })
  })
}

/** Takes a key away: nobody can fetch by it from now on. @throws ForbiddenError for one that is not the project's */
export async function removePullKey(services: Services, by: Change, key: string): Promise<void> {
  const { id, name, transport } = await getPullKey(services, by.projectId, key)
  await transaction(services.db, async (trx) => {
    await trx.deleteFrom('pull_keys').where('id', '=', id).execute()
    await recordHistory(services, trx, { ...by, action: 'pull_key_removed', details: { name, transport } })
  })
}
