// SQL of outgoing webhooks, their messages and attempts.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Claim } from './deliveries-store.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type WebhookRow = Selectable<Tables['webhooks']>
export type WebhookMessageRow = Selectable<Tables['webhook_messages']>

/** Attempts that the log of a webhook keeps. */
const attemptsMax = 100

/** Returns the webhooks of a project. */
export const listWebhooks = (db: ReadDb, projectId: number): Promise<WebhookRow[]> =>
  db.selectFrom('webhooks').selectAll().where('project_id', '=', projectId).orderBy('id').execute()

/** Returns a webhook. @param projectId null: of any project */
export const findWebhook = (db: ReadDb, id: number, projectId: number | null): Promise<WebhookRow | undefined> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .$if(projectId !== null, (query) => query.where('project_id', '=', projectId ?? 0))
    .executeTakeFirst()

/** Inserts a webhook. */
export const insertWebhook = (trx: Trx, values: Insertable<Tables['webhooks']>): Promise<WebhookRow> =>
  trx.insertInto('webhooks').values(values).returningAll().executeTakeFirstOrThrow()

/** Updates a webhook. */
export async function updateWebhook(db: Db | Trx, id: number, change: Updateable<Tables['webhooks']>): Promise<void> {
  await db.updateTable('webhooks').set(change).where('id', '=', id).execute()
}

/** Removes a webhook with its messages and attempts. */
export async function removeWebhook(db: Db, id: number): Promise<void> {
  await db.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Inserts messages, except those of a known fact. */
export async function insertMessages(trx: Trx, rows: readonly Insertable<Tables['webhook_messages']>[]): Promise<void> {
  await trx
    .insertInto('webhook_messages')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['webhook_id', 'fact']).doNothing())
    .execute()
}

/** Removes the messages of facts that are still settling. @returns their number */
export async function removeSettlingMessages(trx: Trx, facts: readonly string[], now: string): Promise<number> {
  if (facts.length === 0) return 0
  const { numDeletedRows } = await trx
    .deleteFrom('webhook_messages')
    .where('fact', 'in', facts)
    .where('attempts', '=', 0)
    .where('date_due', '>', now)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Claims messages that are due, for webhooks that are on: one of each webhook without a claimed one, so that a slow receiver
 * delays its own messages only. Of concurrent replicas one gets a message.
 */
export const claimMessages = (db: Db, { claim, now, until, limit }: Claim): Promise<WebhookMessageRow[]> =>
  db
    .updateTable('webhook_messages')
    .set({ claim, date_claim: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_messages as message')
        .select('message.id')
        .where('message.state', '=', 'waiting')
        .where('message.date_due', '<=', now)
        .where((or) => or.or([or('message.date_claim', 'is', null), or('message.date_claim', '<=', now)]))
        .where('message.id', 'in', (of) =>
          of
            .selectFrom('webhook_messages as first')
            .innerJoin('webhooks', 'webhooks.id', 'first.webhook_id')
            .select((min) => min.fn.min('first.id').as('id'))
            .where('webhooks.is_on', '=', 1)
            .where('first.state', '=', 'waiting')
            .where('first.date_due', '<=', now)
            .where('first.webhook_id', 'not in', (claimed) =>
              claimed
                .selectFrom('webhook_messages as busy')
                .select('busy.webhook_id')
                .where('busy.state', '=', 'waiting')
                .where('busy.date_claim', '>', now),
            )
            .groupBy('first.webhook_id'),
        )
        .orderBy('message.date_due')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

/** Updates a message that is still claimed. @returns whether it was */
export async function updateClaimed(
  trx: Trx,
  { id, claim }: Pick<WebhookMessageRow, 'id' | 'claim'>,
  change: Updateable<Tables['webhook_messages']>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_messages')
    .set({ ...change, claim: null, date_claim: null })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Has a message sent again. @returns whether the webhook has it */
export async function updateResent(db: Db, webhookId: number, messageId: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_messages')
    .set({ state: 'waiting', attempts: 0, date_due: now })
    .where('webhook_id', '=', webhookId)
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Inserts an attempt, and removes those beyond the length of the log. */
export async function insertAttempt(trx: Trx, row: Insertable<Tables['webhook_attempts']>): Promise<void> {
  await trx.insertInto('webhook_attempts').values(row).execute()
  const last = await trx
    .selectFrom('webhook_attempts')
    .select('id')
    .where('webhook_id', '=', row.webhook_id)
    .orderBy('id', 'desc')
    .offset(attemptsMax)
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await trx.deleteFrom('webhook_attempts').where('webhook_id', '=', row.webhook_id).where('id', '<=', last.id).execute()
}

/** Returns the attempts of a webhook, newest first. */
export const listAttempts = (db: ReadDb, webhookId: number) =>
  db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(attemptsMax)
    .execute()

/** Removes messages that are older than a time. */
export async function removeOldMessages(db: Db, before: string): Promise<void> {
  await db.deleteFrom('webhook_messages').where('date_create', '<', before).execute()
}
