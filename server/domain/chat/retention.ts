// Removes old messages, and settles sends whose process died.
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { env, settings, whole } from '#server/core/variables.ts'
import { transaction } from '#server/db/transaction.ts'
import { listOld, lockHeads, removeOldest, updateHead } from './messages-store.ts'
import { lostMs } from './present.ts'
import { updateLost } from './sends-store.ts'

export const retentionSettings = settings({
  chatKeepDays: env(
    'CHAT_KEEP_DAYS',
    whole(1, 365),
    '30',
    'Days after which chat messages are removed; a project may choose fewer. The rules of YouTube for developers allow 30',
  ),
})

/** Rows of one transaction. */
const batch = 5_000

/** Removes messages that are older than their project keeps them. Safe on any number of replicas. */
export async function removeOldChat({ db, clock, config }: Pick<Services, 'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now()
  await updateLost(db, iso(later(now, -lostMs)))
  // A project keeps messages for at least a day.
  for (const { broadcast_id, keep_days } of await listOld(db, iso(later(now, -dayMs)))) {
    const days = Math.min(keep_days ?? config.chatKeepDays, config.chatKeepDays)
    const before = iso(later(now, -days * dayMs))
    for (let removed = batch; removed === batch;)
      removed = await transaction(db, async (trx) => {
        const [head] = await lockHeads(trx, [broadcast_id])
        if (!head || head.date_oldest === null || head.date_oldest >= before) return 0
        const result = await removeOldest(trx, broadcast_id, { before, max: batch })
        await updateHead(trx, broadcast_id, { total: head.total - result.counted, date_oldest: result.oldest })
        return result.removed
      })
  }
}
