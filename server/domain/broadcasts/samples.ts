// Samples of broadcasts: stores those of a node, and thins old ones. Retention: each second for an hour, ten seconds for a day, a minute for a year.
import type { SampleEvent } from '#contract/relay/events.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { lockOwned } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'
import { hasMedia, storedOf } from './records.ts'
import {
  insertCoarserSamples,
  insertCoarserViewers,
  insertSamples,
  removeSamples,
  removeViewers,
  updateNewestSamples,
} from './samples-store.ts'
import {} from './store.ts'

const hour = 3_600

/** Steps in seconds, finest first: how long samples of a step are kept, and the step that replaces it. */
const steps = [
  { step: 1, keep: hour, next: 10 },
  { step: 10, keep: 24 * hour, next: 60 },
  { step: 60, keep: 366 * 24 * hour, next: null },
] as const

/** Projects of one statement. */
const batch = 500

/** Stores samples of a node, of those projects that it owns under their epoch. Repeating it stores nothing twice. */
export async function storeSamples(
  { db }: Pick<Services, 'db'>,
  node: string,
  samples: readonly SampleEvent[],
): Promise<void> {
  const newest = [...new Map(samples.map((sample) => [sample.projectId, sample])).values()]
  await transaction(db, async (trx) => {
    await lockOwned(trx, 'air', node)
    const measured = samples.filter(hasMedia)
    for (let at = 0; at < measured.length; at += batch) await insertSamples(trx, node, measured.slice(at, at + batch))
    for (let at = 0; at < newest.length; at += batch) {
      const rows = newest.slice(at, at + batch)
      await updateNewestSamples(
        trx,
        node,
        rows.map((sample) => ({ ...sample, stored: storedOf(sample) })),
      )
    }
  })
}

/** Averages old samples into longer steps, and removes the oldest. The mean of a broadcast does not change. */
export async function thinSamples({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = Math.floor(clock.now().getTime() / 1000)
  for (const { step, keep, next } of steps) {
    // Whole steps of the next size only.
    const before = Math.floor((now - keep) / (next ?? step)) * (next ?? step)
    await transaction(db, async (trx) => {
      if (next !== null) await insertCoarserSamples(trx, { step, next, before })
      await removeSamples(trx, step, before)
    })
  }
  await transaction(db, (trx) => thinViewers(trx, now))
}

const viewerStep = 600

/** Viewers are counted each minute: kept so for a week, each ten minutes for a year. */
async function thinViewers(trx: Trx, now: number): Promise<void> {
  const before = Math.floor((now - 7 * 24 * hour) / viewerStep) * viewerStep
  await insertCoarserViewers(trx, { step: viewerStep, before })
  await removeViewers(trx, { before, stepBelow: viewerStep })
  await removeViewers(trx, { before: now - 366 * 24 * hour })
}
