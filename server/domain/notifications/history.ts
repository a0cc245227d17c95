// History of the notifications of a user, as the wire shows it.
import type { NotifyAction, NotifyChannel } from '#contract/entities/notification.ts'
import type { Db } from '#server/db/open.ts'
import type { StoredDeliveryState } from '#server/db/tables-notifications.ts'
import { kindOf, levelOf, linkOf } from './kinds.ts'
import { type DeliveryRow, listDeliveries, type NotificationRow } from './store.ts'
import { actionTexts, textsOf } from './texts.ts'

/** Group of the buttons of an invitation, and of the link. */
export const invitationGroup = 'invitation'
const linkGroup = 'link'

/** States of deliveries on the wire. */
const shown = {
  waiting: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  failed: 'failed',
  skipped: 'skipped',
  unknown: 'unknown',
} as const satisfies Readonly<Record<StoredDeliveryState, string>>

/** Returns notifications with their texts, actions and deliveries. @param channel channel of the rows on the wire */
export async function presentNotifications(db: Db, rows: readonly NotificationRow[], channel: NotifyChannel) {
  const deliveries = await listDeliveries(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) =>
    present(
      row,
      deliveries.filter(({ notification_id }) => notification_id === row.id),
      channel,
    ),
  )
}

function present(row: NotificationRow, deliveries: readonly DeliveryRow[], channel: NotifyChannel) {
  return {
    _id: String(row.id),
    id: String(row.id),
    project_id: row.project_id,
    date_create: row.date_create,
    actions: actionsOf(row),
    channel,
    text: textsOf(row),
    status_read: row.date_read !== null,
    category: row.category,
    name: row.kind,
    level: levelOf(row),
    link: linkOf(row.kind, row.project_id, JSON.parse(row.params)),
    deliveries: deliveries.map((one) => ({ channel: one.channel, state: shown[one.state], date: one.date_sent })),
  }
}

/** Returns the actions of a notification by their groups; a link, or accept and decline of an invitation. */
export function actionsOf(row: Pick<NotificationRow, 'kind' | 'project_id' | 'params' | 'done'>) {
  const spec = kindOf(row.kind)
  const link = linkOf(row.kind, row.project_id, JSON.parse(row.params))
  const groups: Record<string, NotifyAction[]> = {}
  if (spec?.isInvitation)
    groups[invitationGroup] = (['accept', 'decline'] as const).map((name) => ({
      name,
      value: '',
      type: name === 'accept' ? 'primary' : 'secondary',
      text: actionTexts((words) => words[name]),
      icon: '',
      group_id: invitationGroup,
      group_type: 'select',
      done: row.done === name,
    }))
  if (link !== null)
    groups[linkGroup] = [
      {
        name: 'cabinet_link',
        value: link,
        type: 'link',
        text: actionTexts(({ open }) => ({ title: open, done: open })),
        icon: '',
        group_id: linkGroup,
        group_type: 'default',
        done: row.done !== null,
      },
    ]
  return groups
}
