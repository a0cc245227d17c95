// Webhooks of a project over HTTP.
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { iso } from '#server/core/clock.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { mayPostTo } from '#server/domain/notifications/addresses.ts'
import {
  addWebhook,
  resendMessage,
  rotateSecret,
  switchWebhook,
  webhooksMax,
} from '#server/domain/notifications/webhooks.ts'
import {
  findWebhook,
  listAttempts,
  listWebhooks,
  removeWebhook,
  type WebhookRow,
} from '#server/domain/notifications/webhooks-store.ts'

const done = { success: true }
const perMinute = 20
const unknown = () => new RuleError('WebhookNotFound')

export const webhookRoutes = implement(webhooks, {
  list: async ({ project_id }, { db, clock }) => ({
    results: (await listWebhooks(db, project_id, iso(clock.now()))).map(presentWebhook),
    limit: webhooksMax,
  }),

  add: async ({ project_id, url }, ctx) => {
    if (!mayPostTo(ctx, url)) throw new RuleError('AddressNotAllowed')
    const { row, secret } = await addWebhook(ctx, project_id, url, null)
    return { ...presentWebhook({ ...row, program: null }), secret }
  },

  update: async ({ project_id, webhook_id, is_on }, ctx) => {
    const { id } = await own(ctx, project_id, webhook_id)
    await switchWebhook(ctx, id, is_on)
    return done
  },

  del: async ({ project_id, webhook_id }, ctx) => {
    await removeWebhook(ctx.db, (await own(ctx, project_id, webhook_id)).id)
    return done
  },

  rotate: async ({ project_id, webhook_id }, ctx) => {
    const row = await own(ctx, project_id, webhook_id)
    // The secret of a program is for the program.
    if (row.family_id !== null) throw unknown()
    const { secret, end } = await rotateSecret(ctx, row)
    return { secret, date_old_end: end }
  },

  attempts: async ({ project_id, webhook_id }, ctx) => {
    const rows = await listAttempts(ctx.db, (await own(ctx, project_id, webhook_id)).id)
    return {
      results: rows.map(({ message_id, kind: name, status, result, date_create: date }) => ({
        message_id,
        name,
        status,
        result,
        date,
      })),
    }
  },

  resend: async ({ project_id, webhook_id, message_id }, ctx) => {
    ctx.limits.count(`webhook resend ${project_id}`, perMinute)
    const { id } = await own(ctx, project_id, webhook_id)
    const isKnown = await resendMessage(ctx, id, message_id)
    if (!isKnown) throw new RuleError('MessageNotFound')
    return done
  },
})

/** @throws RuleError `WebhookNotFound` */
async function own({ db }: Pick<Context<'owner'>, 'db'>, projectId: number, id: number): Promise<WebhookRow> {
  const row = await findWebhook(db, id, projectId)
  if (!row) throw unknown()
  return row
}

/** Presents a webhook. `program`: name of the program that registered it. */
export const presentWebhook = ({
  id,
  url,
  is_on,
  date_create,
  date_failing,
  date_old_end,
  program,
}: WebhookRow & { readonly program: string | null }) => ({
  webhook_id: id,
  url,
  is_on: is_on === 1,
  date_create,
  date_failing,
  date_old_end,
  program,
})
