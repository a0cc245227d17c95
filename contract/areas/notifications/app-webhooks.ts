// Webhooks that a program registers for its project (ours): an app with the consent of a member, or an API token of one project.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, listOf, Success } from '#contract/core/wire.ts'
import { InWebhook, Webhook, WebhookUrl } from './webhooks.ts'

export const appWebhooks = group(
  'notifications.app-webhooks',
  {
    prefix: 'webhook/app',
    title: 'Webhook of an app',
    stale: ['notifications.webhooks', 'notifications.app-webhooks'],
  },
  {
    list: read('list', {
      name: 'Get webhooks of the calling program',
      input: InProject,
      output: z.extend(listOf(Webhook), { limit: z.int() }),
      auth: 'viewer',
      scope: 'any',
      provenance: 'decided',
    }),
    add: write('POST', 'add', {
      name: 'Add webhook of the calling program',
      input: z.extend(InProject, { url: WebhookUrl }),
      output: z.extend(Webhook, { secret: z.string() }),
      status: 201,
      auth: 'viewer',
      scope: 'any',
      provenance: 'decided',
      replay: 'never',
      notes: {
        url: 'public HTTPS address; redirects are not followed',
        secret: '`whsec_…`, shown once',
        project_id:
          'receives the facts that the scopes of the token and the role of its user allow, until the token ends',
      },
    }),
    del: write('POST', 'del', {
      name: 'Remove webhook of the calling program',
      input: InWebhook,
      output: Success,
      status: 201,
      auth: 'viewer',
      scope: 'any',
      provenance: 'decided',
    }),
  },
)
