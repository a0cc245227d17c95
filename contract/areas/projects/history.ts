// ProjectHistory: actions of users in a project, newest first.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Id, InProject, Page, pageOf } from '#contract/core/wire.ts'
import { historyActions } from '#contract/entities/history.ts'

/** One recorded action (published `ProjectHistoryResponse`). `user_` and below are ours. */
export const HistoryItem = z.object({
  id: z.int(),
  // Any string, because a later service knows more actions.
  action: z.string(),
  project_id: z.int(),
  user_id: z.nullable(z.int()),
  group_id: z.nullable(z.int()),
  date: DateTime,
  user_: maybe(z.object({ user_id: z.int(), name: z.string(), fename: z.string() })),
  details: maybe(z.record(z.string(), z.unknown())),
})
export type HistoryItem = z.output<typeof HistoryItem>

export const history = group(
  'projects.history',
  { prefix: 'project_history', title: 'ProjectHistory' },
  {
    list: read('list', {
      name: 'Get project history of actions',
      input: z.extend(z.extend(InProject, Page.shape), {
        date_from: z.optional(DateTime),
        date_to: z.optional(DateTime),
        action: z.optional(z.enum(historyActions)),
        group_id: z.optional(Id),
        user_id: z.optional(Id),
      }),
      output: pageOf(HistoryItem),
      auth: 'viewer',
      scope: 'project:read',
      provenance: 'published',
      notes: {
        date_from: 'from this moment on',
        date_to: 'before this moment',
        group_id: 'id of a channel',
        user_id: 'decided: the user that made the change',
        details: 'decided: names of the changed fields; never a secret',
      },
    }),
  },
)
