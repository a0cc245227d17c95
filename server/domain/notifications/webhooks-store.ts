// SQL of outgoing webhooks, their messages and attempts.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type WebhookRow = Selectable<Tables['webhooks']>
export type WebhookMessageRow = Selectable<Tables['webhook_messages']>

/** Kind of the jobs of webhooks; the key is the webhook. */
export const webhookKind = { kind: 'notifications.webhook' } as const

/** Attempts that the log of a webhook keeps. */
const attemptsMax = 100

/** Webhooks of a project, without those whose program has no access any more. */
const livingWebhooks = (db: ReadDb, projectId: number, now: string) =>
  db
    .selectFrom('webhooks')
    .leftJoin('token_families', 'token_families.id', 'webhooks.family_id')
    .where('webhooks.project_id', '=', projectId)
    .where((of) =>
      of.or([
        of('webhooks.family_id', 'is', null),
        of.and([of('token_families.date_revoke', 'is', null), of('token_families.date_max', '>', now)]),
      ]),
    )
    .orderBy('webhooks.id')

/** Returns the webhooks of a project, with the name of the program that registered it. */
export async function listWebhooks(
  db: ReadDb,
  projectId: number,
  now: string,
): Promise<(WebhookRow & { readonly program: string | null })[]> {
  const rows = await livingWebhooks(db, projectId, now)
    .leftJoin('app_grants', 'app_grants.family_id', 'webhooks.family_id')
    .leftJoin('apps', 'apps.id', 'app_grants.app_id')
    .leftJoin('api_tokens', 'api_tokens.family_id', 'webhooks.family_id')
    .selectAll('webhooks')
    .select(['apps.name as app', 'api_tokens.name as token'])
    .execute()
  return rows.map(({ app, token, ...row }) => ({ ...row, program: app ?? token }))
}

/** A webhook that is on. `scopes`, `access_type`: of its program, and of the member that it acts for; null: an owner added it. */
export interface Hearer {
  readonly id: number
  readonly family_id: number | null
  readonly scopes: string | null
  readonly access_type: number | null
}

/** Returns the webhooks of a project that are on, with the rights of their programs. */
export const listHearers = (db: ReadDb, projectId: number, now: string): Promise<Hearer[]> =>
  livingWebhooks(db, projectId, now)
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'token_families.user_id')
        .onRef('project_members.project_id', '=', 'webhooks.project_id'),
    )
    .select(['webhooks.id', 'webhooks.family_id', 'token_families.scopes', 'project_members.access_type'])
    .where('webhooks.is_on', '=', 1)
    .execute()

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

/** Inserts messages, except those of a known fact. @returns the webhooks of those that were inserted */
export async function insertMessages(
  trx: Trx,
  rows: readonly Insertable<Tables['webhook_messages']>[],
): Promise<number[]> {
  const inserted = await trx
    .insertInto('webhook_messages')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['webhook_id', 'fact']).doNothing())
    .returning('webhook_id')
    .execute()
  return inserted.map(({ webhook_id }) => webhook_id)
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

/** Returns the oldest message of a webhook that is due. @param of `heard`: kinds of messages; null: all */
export const findDueMessage = (
  db: ReadDb,
  webhookId: number,
  { now, heard }: { readonly now: string; readonly heard: readonly string[] | null },
): Promise<WebhookMessageRow | undefined> =>
  db
    .selectFrom('webhook_messages')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .where('date_due', '<=', now)
    .$if(heard !== null, (query) => query.where('kind', 'in', heard ?? []))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Returns when the next waiting message of a webhook is due, ISO 8601; null: none. @param heard kinds of messages; default: all */
export async function findNextMessageDue(
  db: ReadDb,
  webhookId: number,
  heard: readonly string[] | null = null,
): Promise<string | null> {
  const row = await db
    .selectFrom('webhook_messages')
    .select('date_due')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .$if(heard !== null, (query) => query.where('kind', 'in', heard ?? []))
    .orderBy('date_due')
    .limit(1)
    .executeTakeFirst()
  return row?.date_due ?? null
}

/** Lists the webhooks that are on and have messages to send. */
export async function listWebhooksToSend(db: ReadDb): Promise<number[]> {
  const rows = await db
    .selectFrom('webhook_messages')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_messages.webhook_id')
    .select('webhooks.id')
    .distinct()
    .where('webhooks.is_on', '=', 1)
    .where('webhook_messages.state', '=', 'waiting')
    .execute()
  return rows.map(({ id }) => id)
}

/** Updates a message. @returns whether it exists */
export async function updateMessage(
  trx: Trx,
  id: number,
  change: Updateable<Tables['webhook_messages']>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_messages')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Has a message sent again. @returns whether the webhook has it */
export async function updateResent(trx: Trx, webhookId: number, messageId: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
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
