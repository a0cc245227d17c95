// Pull keys: players fetch the project's stream with them. The plan limits their number.
import { randomUUID } from 'node:crypto'
import type { Transport } from '#contract/entities/ingest.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { isFound, secretKind } from '#server/core/found-secrets.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import {
  countPullKeys,
  findPullKeyByHash,
  findSrtPullKey,
  insertPullKey,
  listPullKeyRows,
  removePullKeyRow,
  updatePullKeyRow,
} from './pull-keys-store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'

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

/** Returns the pull keys of a project, oldest first; not those that cannot be read, because `SECRET` has changed. */
export async function listPullKeys(services: Reading<Services>, projectId: number): Promise<PullKey[]> {
  const rows = await listPullKeyRows(services.db, projectId)
  return rows.flatMap((row) => {
    const key = secrets.read(services, row)
    return key === null ? [] : [{ ...row, key }]
  })
}

/** Returns a pull key of a project by the key itself. @throws ForbiddenError for a key of another project */
export async function getPullKey(services: Reading<Services>, projectId: number, key: string): Promise<PullKey> {
  const hash = secrets.hashOf(services, key)
  const row = await findPullKeyByHash(services.db, hash, projectId)
  if (!isFound(row, hash)) throw new ForbiddenError()
  return { ...row, key }
}

/** Returns a pull key of any project: players send nothing else. */
export async function findPullKey(services: Reading<Pick<Services, 'db' | 'config'>>, key: string) {
  const hash = secrets.hashOf(services, key)
  const row = await findPullKeyByHash(services.db, hash)
  return isFound(row, hash) ? row : null
}

/** Returns a pull key for SRT by its id; null where there is none. */
export async function pullKeyForSrt(services: Pick<Services, 'db' | 'config'>, id: number): Promise<string | null> {
  const row = await findSrtPullKey(services.db, id)
  return row ? secrets.show(services, row) : null
}

/** The changed project, and the user that changes it. */
interface Change {
  readonly projectId: number
  readonly userId: number
}

/** Creates a pull key, instead of those that cannot be read. @returns its id @throws RuleError `PlanLimitReached` */
export function createPullKey(
  services: Services,
  by: Change,
  about: { readonly transport: Transport; readonly name: string },
): Promise<number> {
  return projectTransaction(services.db, by.projectId, async (trx) => {
    await lockProject(trx, by.projectId)
    for (const row of await listPullKeyRows(trx, by.projectId))
      if (secrets.read(services, row) === null) await removePullKeyRow(trx, row.id)
    const count = await countPullKeys(trx, by.projectId)
    await refuseOverLimit(services, trx, by.projectId, 'pull_links', count + 1)
    const id = await insertPullKey(trx, {
      project_id: by.projectId,
      ...secrets.store(services, randomUUID()),
      ...about,
      region: '',
      status: 'inactive',
      date_create: iso(services.clock.now()),
    })
    await recordHistory(services, trx, { ...by, action: 'pull_key_created', details: about })
    return id
  })
}

/** Changes name or region of a pull key. @throws ForbiddenError for a key of another project */
export async function updatePullKey(
  services: Services,
  by: Change,
  key: string,
  change: { readonly name?: string | undefined; readonly region?: string | undefined },
): Promise<void> {
  const { id, ...known } = await getPullKey(services, by.projectId, key)
  const now = { name: change.name ?? known.name, region: change.region ?? known.region }
  await transaction(services.db, async (trx) => {
    await updatePullKeyRow(trx, id, now)
    await recordHistory(services, trx, { ...by, action: 'pull_key_changed', details: { ...now, was: known.name } })
  })
}

/** Removes a pull key: new players are refused. @throws ForbiddenError for a key of another project */
export async function removePullKey(services: Services, by: Change, key: string): Promise<void> {
  const { id, name, transport } = await getPullKey(services, by.projectId, key)
  await transaction(services.db, async (trx) => {
    await removePullKeyRow(trx, id)
    await recordHistory(services, trx, { ...by, action: 'pull_key_removed', details: { name, transport } })
  })
}
