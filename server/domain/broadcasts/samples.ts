// What came in, kept coarser as it grows old: each second for an hour, ten seconds for a day, a minute for a year.
import { sql } from 'kysely'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'

const hour = 3_600

/** Steps in seconds, finest first: for how long samples of a step are kept, and what they become afterwards. */
const steps = [
  { step: 1, keep: hour, next: 10 },
  { step: 10, keep: 24 * hour, next: 60 },
  { step: 60, keep: 366 * 24 * hour, next: null },
] as const

/** Makes old samples coarser, and forgets the oldest. The averages stay what they were. */
export async function thinSamples({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = Math.floor(clock.now().getTime() / 1000)
  for (const { step, keep, next } of steps) {
    // Only whole steps of the next size.
    const before = Math.floor((now - keep) / (next ?? step)) * (next ?? step)
    await transaction(db, async (trx) => {
      if (next !== null) await sumUp(trx, step, next, before)
      await trx.deleteFrom('broadcast_samples').where('step', '=', step).where('at', '<', before).execute()
    })
  }
  await transaction(db, (trx) => thinViewers(trx, now))
}

/** Viewers are counted once a minute: kept so for a week, each ten minutes for a year. */
async function thinViewers(trx: Trx, now: number): Promise<void> {
  const before = Math.floor((now - 7 * 24 * hour) / 600) * 600
  await sql`
    insert into broadcast_viewers (broadcast_id, step, at, viewers)
    select broadcast_id, 600, at / 600 * 600, round(avg(viewers))
    from broadcast_viewers
    where step < 600 and at < ${sql.lit(before)}
    group by broadcast_id, at / 600
    on conflict do nothing
  `.execute(trx)
  await trx.deleteFrom('broadcast_viewers').where('step', '<', 600).where('at', '<', before).execute()
  const forgotten = now - 366 * 24 * hour
  await trx.deleteFrom('broadcast_viewers').where('at', '<', forgotten).execute()
}

const sumUp = (trx: Trx, step: number, next: number, before: number) =>
  sql`
    insert into broadcast_samples (broadcast_id, step, at, kbps, fps)
    select broadcast_id, ${sql.lit(next)}, at / ${sql.lit(next)} * ${sql.lit(next)}, round(avg(kbps)), avg(fps)
    from broadcast_samples
    where step = ${sql.lit(step)} and at < ${sql.lit(before)}
    group by broadcast_id, at / ${sql.lit(next)}
    on conflict do nothing
  `.execute(trx)
