// Rate of the outbox: 10,000 notifications for 100 people on SQLite, sent by a sender that accepts each message immediately.
import { transaction } from '#server/db/transaction.ts'
import type { Senders } from '#server/delivery/outbox.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { sendNotifications } from '#server/testing/outbox.ts'
import { testApp } from '#server/testing/test-app.ts'

const people = 100
const each = 100

/** Figures of the outbox. */
export interface OutboxFigures {
  /** Notifications per second that are written and sent. */
  readonly rate: number
  /** Notifications that were sent more than once, or never. */
  readonly wrong: number
}

/** Measures the outbox. Messages of one recipient are joined, as in the product. */
export async function measureOutbox(): Promise<OutboxFigures> {
  const world = await testApp()
  const sent = new Map<string, number>()
  const send: Senders['email'] = (_, { userId, items }) => {
    for (const { link } of items) sent.set(`${userId} ${link}`, (sent.get(`${userId} ${link}`) ?? 0) + 1)
    return Promise.resolve({ is: 'sent' })
  }
  const senders: Senders = { email: send, telegram: send, mobile: send }
  try {
    const users = []
    for (let at = 0; at < people; at++) users.push(await world.user())
    const since = performance.now()
    for (let ref = 1; ref <= each; ref++)
      for (const { projectId } of users)
        await transaction(world.app.db, (trx) =>
          notify(world.services, trx, {
            kind: 'payment_failed',
            projectId,
            ref,
            params: { payment_id: ref, amount: '1.00 USD' },
          }),
        )
    for (let round = 0; round < 200 && sent.size < people * each; round++) {
      await sendNotifications(world, { by: senders })
      world.clock.advance(900_000)
      await ageJobs(world.app.db, 900_000)
    }
    const seconds = (performance.now() - since) / 1_000
    const wrong = people * each - sent.size + [...sent.values()].filter((times) => times !== 1).length
    return { rate: (people * each) / seconds, wrong }
  } finally {
    await world.close()
  }
}
