// SQL of the catalogues of transcoding and storage plans.
import type { Selectable } from 'kysely'
import { assignedPlans } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'

export type TranscodingPlanRow = Selectable<TariffTables['transcoding_plans']>
export type StoragePlanRow = Selectable<TariffTables['storage_plans']>

/** Returns the public transcoding plans in their order. */
export const listTranscodingPlans = (db: ReadDb): Promise<TranscodingPlanRow[]> =>
  db.selectFrom('transcoding_plans').selectAll().where('listed', '=', 1).orderBy('sort_index').execute()

/** Returns the transcoding plans that a project may see: the public ones, and those assigned to it. */
export const listTranscodingPlansFor = (db: ReadDb, projectId: number): Promise<TranscodingPlanRow[]> =>
  db
    .selectFrom('transcoding_plans')
    .selectAll()
    .where(({ or, eb }) => or([eb('listed', '=', 1), eb('id', 'in', assignedPlans(db, projectId, 'transcoding'))]))
    .orderBy('sort_index')
    .execute()

/** Returns a transcoding plan, public or not. */
export const getTranscodingPlan = (db: ReadDb, id: number): Promise<TranscodingPlanRow> =>
  db.selectFrom('transcoding_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the transcoding plan of projects without a bought one. */
export const getFreeTranscodingPlan = (db: ReadDb): Promise<TranscodingPlanRow> =>
  db.selectFrom('transcoding_plans').selectAll().where('type', '=', 'free').orderBy('id').executeTakeFirstOrThrow()

/** Returns the public storage plans in their order. */
export const listStoragePlans = (db: ReadDb): Promise<StoragePlanRow[]> =>
  db.selectFrom('storage_plans').selectAll().where('listed', '=', 1).orderBy('sort_index').execute()

/** Returns the storage plans that a project may see: the public ones, and those assigned to it. */
export const listStoragePlansFor = (db: ReadDb, projectId: number): Promise<StoragePlanRow[]> =>
  db
    .selectFrom('storage_plans')
    .selectAll()
    .where(({ or, eb }) => or([eb('listed', '=', 1), eb('id', 'in', assignedPlans(db, projectId, 'storage'))]))
    .orderBy('sort_index')
    .execute()

/** Returns a storage plan, public or not. */
export const getStoragePlan = (db: ReadDb, id: number): Promise<StoragePlanRow> =>
  db.selectFrom('storage_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
