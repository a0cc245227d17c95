// NotifyHistory: notifications of the caller, newest first. A row is a notification; its texts are made when it is read.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, Moment } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Nothing, Page, pageOf, Success } from '#contract/core/wire.ts'
import {
  notificationKinds,
  NotifyAction,
  NotifyCategory,
  NotifyChannel,
  NotifyLevel,
  NotifyText,
} from '#contract/entities/notification.ts'

/** Most ids of one call of `read`. */
export const readMax = 500

const HistoryId = z.string().check(z.minLength(1), z.maxLength(40))

/** State of a delivery outside the dashboard. `failed`: all attempts failed; `unknown`: the service ended during the call. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed', 'skipped', 'unknown'])

/** A notification (published `NotifyHistorySiteResponse`). `name` and below are ours. */
export const NotifyRow = z.object({
  _id: z.string(),
  id: z.string(),
  project_id: z.int(),
  date_create: DateTime,
  actions: z.record(z.string(), z.array(NotifyAction)),
  channel: NotifyChannel,
  text: z.array(NotifyText),
  status_read: z.boolean(),
  category: NotifyCategory,
  name: z.string(),
  level: NotifyLevel,
  link: z.nullable(z.string()),
  deliveries: z.array(z.object({ channel: NotifyChannel, state: DeliveryState, date: z.nullable(DateTime) })),
})
export type NotifyRow = z.output<typeof NotifyRow>

export const history = group(
  'notifications.history',
  { prefix: 'notify_history', title: 'NotifyHistory', stale: ['notifications.history'] },
  {
    list: read('list', {
      name: 'Get list of my notifications',
      input: z.extend(Page, {
        project_id: z.optional(Id),
        name: z.optional(z.enum(notificationKinds)),
        channel: z.optional(NotifyChannel),
        date_from: z.optional(Moment),
        date_to: z.optional(Moment),
        status_read: z.optional(z.enum(['unread', 'read'])),
        category: z.optional(NotifyCategory),
      }),
      output: pageOf(NotifyRow),
      auth: 'session',
      scope: 'profile:read',
      provenance: 'published',
      notes: {
        project_id: 'left out: all projects of the caller',
        channel: 'notifications sent to this channel; left out: those of the dashboard (`cabinet`)',
        date_from: 'from this moment on',
        date_to: 'before this moment',
        category: 'decided: important or stream',
        actions: 'lists of buttons by `group_id`',
        link: 'decided: path of the dashboard that the notification leads to',
        deliveries: 'decided: state of each delivery outside the dashboard',
      },
    }),
    get: read('get', {
      name: 'Get item by id',
      input: z.object({ _id: HistoryId }),
      output: NotifyRow,
      auth: 'session',
      scope: 'profile:read',
      provenance: 'published',
      carries: ['v'],
    }),
    getStatus: read('get_status', {
      name: 'Get unread status',
      input: Nothing,
      output: z.object({ count_unread: z.int() }),
      auth: 'session',
      scope: 'profile:read',
      provenance: 'published',
      notes: { count_unread: 'unread notifications of the dashboard in all projects of the caller' },
    }),
    read: write('PUT', 'read', {
      name: 'Set one as read',
      input: z.object({ notify_history_ids: z.array(HistoryId).check(z.maxLength(readMax)) }),
      output: z.object({ count: z.int() }),
      auth: 'session',
      scope: 'profile:write',
      provenance: 'published',
      inQuery: ['v', 'language'],
      notes: { count: 'number of notifications that were unread; unknown and foreign ids count as none' },
    }),
    runAction: write('POST', 'run_action', {
      name: 'Run action in notify item',
      placement: 'query',
      input: z.object({
        notify_history_id: HistoryId,
        action_name: z.string().check(z.maxLength(40)),
        group_id: z.string().check(z.maxLength(40)),
      }),
      output: NotifyRow,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'published',
      notes: { action_name: 'links are only marked; accept and decline answer the invitation' },
      // The answer to an invitation changes projects and channels.
      stale: ['channels', 'notifications.history', 'projects'],
    }),
    setAllCabinetRead: write('POST', 'set_all_cabinet_read', {
      name: 'Set all as read',
      input: Nothing,
      output: Success,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'published',
      carries: [],
    }),
  },
)
