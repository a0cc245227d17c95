// Webhooks of a project (ours): facts of the project are posted to addresses of its owner, signed by Standard Webhooks.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'

/** Address that receives messages. */
export const WebhookUrl = z.string().check(z.maxLength(1_000), z.regex(/^https?:\/\/[^\s/]/))
export const InWebhook = z.extend(InProject, { webhook_id: Id })

/** A webhook, without its secret. */
export const Webhook = z.object({
  webhook_id: z.int(),
  url: z.string(),
  is_on: z.boolean(),
  date_create: DateTime,
  date_failing: z.nullable(DateTime),
  date_old_end: z.nullable(DateTime),
  /** Name of the program that registered it; null: an owner added it. */
  program: z.nullable(z.string()),
})
export type Webhook = z.output<typeof Webhook>

/** One attempt to post a message. */
const Attempt = z.object({
  message_id: z.string(),
  name: z.string(),
  status: z.nullable(z.int()),
  result: z.enum(['sent', 'refused', 'unknown']),
  date: DateTime,
})

export const webhooks = group(
  'notifications.webhooks',
  { prefix: 'webhook', title: 'Webhook', stale: ['notifications.webhooks'] },
  {
    list: read('list', {
      name: 'Get webhooks of project',
      input: InProject,
      output: z.extend(listOf(Webhook), { limit: z.int() }),
      auth: 'owner',
      scope: 'project:read',
      provenance: 'decided',
      notes: {
        date_failing: 'first failure since the last success; after five days the webhook is switched off',
        date_old_end: 'until then messages are signed with the secret before the rotation as well',
        program: 'app or API token that registered it; it ends with its connection',
        limit: 'of those that owners add',
      },
    }),
    add: write('POST', 'add', {
      name: 'Add webhook',
      input: z.extend(InProject, { url: WebhookUrl }),
      output: z.extend(Webhook, { secret: z.string() }),
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
      replay: 'never',
      notes: { url: 'public HTTPS address; redirects are not followed', secret: '`whsec_…`, shown once' },
    }),
    update: write('POST', 'update', {
      name: 'Switch webhook on or off',
      input: z.extend(InWebhook, { is_on: z.boolean() }),
      output: Success,
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
    }),
    del: write('POST', 'del', {
      name: 'Remove webhook',
      input: InWebhook,
      output: Success,
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
    }),
    rotate: write('POST', 'rotate', {
      name: 'Replace the secret of a webhook',
      input: InWebhook,
      output: z.object({ secret: z.string(), date_old_end: DateTime }),
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
      replay: 'never',
      notes: { date_old_end: 'until then both secrets sign: a day' },
      stale: ['notifications.webhooks.list'],
    }),
    attempts: read('attempts', {
      name: 'Get the last attempts of a webhook',
      input: InWebhook,
      output: listOf(Attempt),
      auth: 'owner',
      scope: 'project:read',
      provenance: 'decided',
      notes: { results: 'newest first, at most 100', status: 'of the response; null: none' },
    }),
    resend: write('POST', 'resend', {
      name: 'Send a message of a webhook again',
      input: z.extend(InWebhook, { message_id: z.string().check(z.maxLength(60)) }),
      output: Success,
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
      stale: ['notifications.webhooks.attempts'],
    }),
  },
)
