// Webhooks of programs over HTTP.
import { appWebhooks } from '#contract/areas/notifications/app-webhooks.ts'
import { iso } from '#server/core/clock.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { mayPostTo } from '#server/domain/notifications/addresses.ts'
import { addWebhook, webhooksOfProgramMax } from '#server/domain/notifications/webhooks.ts'
import { listWebhooks, removeWebhook } from '#server/domain/notifications/webhooks-store.ts'
import { presentWebhook } from './webhooks.ts'

export const appWebhookRoutes = implement(appWebhooks, {
  list: async (_, ctx) => ({ results: (await listOwn(ctx)).map(presentWebhook), limit: webhooksOfProgramMax }),

  add: async ({ project_id, url }, ctx) => {
    const familyId = programOf(ctx)
    if (!mayPostTo(ctx, url)) throw new RuleError('AddressNotAllowed')
    const { row, secret } = await addWebhook(ctx, project_id, url, familyId)
    return { ...presentWebhook({ ...row, program: null }), secret }
  },

  del: async ({ webhook_id }, ctx) => {
    if (!(await listOwn(ctx)).some(({ id }) => id === webhook_id)) throw new RuleError('WebhookNotFound')
    await removeWebhook(ctx.db, webhook_id)
    return { success: true }
  },
})

type Caller = Pick<Context<'viewer'>, 'db' | 'clock' | 'user' | 'project'>

/** Returns the session of the calling program. @throws RuleError `OnlyForPrograms` for a sign-in, and a token of all projects */
function programOf({ user, project }: Pick<Caller, 'user' | 'project'>): number {
  if (user.grant?.projectId !== project.id) throw new RuleError('OnlyForPrograms')
  return user.sessionId
}

async function listOwn(ctx: Caller) {
  const familyId = programOf(ctx)
  return (await listWebhooks(ctx.db, ctx.project.id, iso(ctx.clock.now()))).filter((row) => row.family_id === familyId)
}
