// SQL of new broadcasts at platforms.
import { type Selectable, sql } from 'kysely'
import type { JobName } from '#server/db/jobs.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'
import { claimUntil, markedStore } from './marked-store.ts'

export type HealRow = Selectable<BroadcastTables['platform_heals']>

/** Kind of the job that makes a new broadcast; the key is the broadcast and the channel. */
export const healKind = { kind: 'broadcasts.heal' } as const

/** Returns the job of a channel in a broadcast. */
export const healJobOf = (broadcastId: number, channelId: number): JobName => ({
  ...healKind,
  key: `${broadcastId}:${channelId}`,
})

export interface HealKey {
  readonly broadcastId: number
  readonly channelId: number
}

const open = ['inserting', 'inserted', 'bound'] as const

/**
 * Returns a channel of a broadcast on air that wants a new broadcast when its platform shows none: it is on, and no user stopped
 * the broadcast.
 */
export const findHealable = (db: ReadDb, { broadcastId, channelId }: HealKey) =>
  db
    .selectFrom('restreams')
    .innerJoin('broadcasts', 'broadcasts.id', 'restreams.broadcast_id')
    .innerJoin('channels', 'channels.id', 'restreams.channel_id')
    .innerJoin('project_channels as link', (join) =>
      join.onRef('link.project_id', '=', 'broadcasts.project_id').onRef('link.channel_id', '=', 'restreams.channel_id'),
    )
    .select([
      'broadcasts.project_id',
      'broadcasts.status',
      'broadcasts.date_pause',
      'restreams.name',
      'restreams.report',
      'restreams.date_live',
      'restreams.seen',
      'restreams.url',
      'channels.type',
      'channels.account_id',
      'channels.external_id',
      'channels.secret_sealed',
      'channels.settings',
    ])
    .where('restreams.broadcast_id', '=', broadcastId)
    .where('restreams.channel_id', '=', channelId)
    .where('broadcasts.date_end', 'is', null)
    .where('broadcasts.held_until', 'is', null)
    .where('broadcasts.stopped_by', 'is', null)
    .where('link.active', '=', 1)
    .where('link.healing', '=', 1)
    .executeTakeFirst()

export type HealableRow = NonNullable<Awaited<ReturnType<typeof findHealable>>>

const store = markedStore('platform_heals', 'broadcast_id', open)
const keyOf = ({ broadcastId, channelId }: HealKey) => ({ ownerId: broadcastId, channelId })

/** Returns the new broadcast of a channel. */
export const findHeal = (db: ReadDb, key: HealKey): Promise<HealRow | undefined> => store.find(db, keyOf(key))

/** Returns the unfinished ones of broadcasts on air. */
export async function listOpenHeals(db: ReadDb): Promise<HealKey[]> {
  const rows = await db
    .selectFrom('platform_heals')
    .innerJoin('broadcasts', 'broadcasts.id', 'platform_heals.broadcast_id')
    .select(['broadcast_id', 'channel_id'])
    // Literals, because the partial index does not match bound values.
    .where(sql<boolean>`state in ('inserting', 'inserted', 'bound')`)
    .where('broadcasts.date_end', 'is', null)
    .execute()
  return rows.map((row) => ({ broadcastId: row.broadcast_id, channelId: row.channel_id }))
}

/** Inserts a new broadcast that this run makes, and claims it. @returns undefined when there is one */
export const insertHeal = (
  trx: Trx,
  { broadcastId: broadcast_id, channelId: channel_id }: HealKey,
  mark: Pick<HealRow, 'start_at' | 'title'>,
  claimMs: number,
): Promise<HealRow | undefined> =>
  trx
    .insertInto('platform_heals')
    .values({
      broadcast_id,
      channel_id,
      ...mark,
      state: 'inserting',
      video_id: null,
      claim_until: claimUntil(trx, claimMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** Claims an unfinished one for a time, as `markedStore` does. */
export const claimHeal = (db: Db | Trx, key: HealKey, ms: number, mine?: number): Promise<HealRow | undefined> =>
  store.claim(db, keyOf(key), ms, mine)

/** Returns the time until the claim of a row ends, milliseconds. */
export const findClaimMs = (db: ReadDb, key: HealKey): Promise<number> => store.findClaimMs(db, keyOf(key))

/** Updates an unfinished one of a claim, as `markedStore` does. */
export const updateHeal = (
  trx: Trx,
  { broadcast_id, channel_id, claim_until }: HealRow,
  change: Partial<Pick<HealRow, 'state' | 'start_at' | 'title' | 'video_id'>>,
  claimMs?: number,
): Promise<HealRow | undefined> =>
  store.update(trx, { ownerId: broadcast_id, channelId: channel_id }, claim_until, change, claimMs)

/** Ends an unfinished one as failed, also before it was begun. @returns false when it is finished */
export async function upsertFailedHeal(
  trx: Trx,
  { broadcastId: broadcast_id, channelId: channel_id }: HealKey,
  at: string,
): Promise<boolean> {
  const key = { broadcast_id, channel_id }
  const row = await trx
    .insertInto('platform_heals')
    .values({ ...key, state: 'failed', start_at: at, title: '', video_id: null, claim_until: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['broadcast_id', 'channel_id'])
        .doUpdateSet({ state: 'failed' })
        .where('platform_heals.state', 'in', open),
    )
    .returning('state')
    .executeTakeFirst()
  return row !== undefined
}
