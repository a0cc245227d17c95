// Widgets of a project: pages with a token that reads what they show. The token is a token family, and ends like a session.
import type { Scope } from '#contract/core/scopes.ts'
import type { WidgetKind } from '#contract/entities/widget-kinds.ts'
import type { WidgetSettings } from '#contract/entities/widget.ts'
import { newWidgetToken } from '#server/core/api-token-text.ts'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from '#server/domain/account/audit.ts'
import { createScopedFamily, endFamilies } from '#server/domain/account/families.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import {
  countWidgets,
  findWidget,
  insertWidget,
  listWidgetFamilies,
  listWidgets,
  removeWidget,
  updateWidget,
  type WidgetListRow,
} from './widgets-store.ts'
import { authorize } from './access.ts'

const widgetsMax = 50
/** An end of its own would darken a scene in the middle of a broadcast. */
const lifeDays = 3_650
/** What tokens of widgets read. The channel of a broadcast carries its chat. */
const scopes: readonly Scope[] = ['project:read', 'broadcasts:read', 'chat:read']

interface Of {
  readonly projectId: number
  /** Number of the widget. */
  readonly id: number
}

/** A widget with its token, which is stored nowhere. */
interface NewWidget {
  readonly row: WidgetListRow
  readonly token: string
}

/** Adds a widget. @throws RuleError `TooManyWidgets` */
export async function addWidget(
  services: Services,
  user: User,
  of: {
    readonly projectId: number
    readonly kind: WidgetKind
    readonly name: string
    readonly payload: WidgetSettings
  },
): Promise<NewWidget> {
  const { projectId, kind, name, payload } = of
  const now = iso(services.clock.now())
  return transaction(services.db, async (trx) => {
    await lockProject(trx, projectId)
    if ((await countWidgets(trx, projectId)) >= widgetsMax) throw new RuleError('TooManyWidgets', { max: widgetsMax })
    const { token, ...columns } = await newToken(services, trx, user, projectId)
    const about = { project_id: projectId, kind, name, payload: JSON.stringify(payload) }
    const { id } = await insertWidget(trx, { ...about, ...columns, date_create: now, date_use: null })
    const row = (await listWidgets(trx, projectId, now)).find((one) => one.id === id)
    if (!row) throw new Error('The new widget is not listed')
    return { row, token }
  })
}

/** Changes the name and the settings of a widget. @throws RuleError `WidgetNotFound` */
export const changeWidget = (
  services: Services,
  of: Of,
  { name, payload }: { readonly name: string; readonly payload: WidgetSettings },
): Promise<void> =>
  transaction(services.db, async (trx) => {
    await getWidget(trx, of)
    await updateWidget(trx, of.id, { name, payload: JSON.stringify(payload) })
  })

/** Replaces the token of a widget. @throws RuleError `WidgetNotFound` */
export const replaceWidgetToken = (services: Services, user: User, of: Of): Promise<string> =>
  transaction(services.db, async (trx) => {
    await lockProject(trx, of.projectId)
    const { family_id: old } = await getWidget(trx, of)
    if (old !== null) await endFamilies(services, trx, [old], 'closed')
    const { token, ...columns } = await newToken(services, trx, user, of.projectId)
    await updateWidget(trx, of.id, columns)
    return token
  })

/** Removes a widget, and ends its token. @throws RuleError `WidgetNotFound` */
export const deleteWidget = (services: Services, of: Of): Promise<void> =>
  transaction(services.db, async (trx) => {
    const { family_id: family } = await getWidget(trx, of)
    if (family !== null) await endFamilies(services, trx, [family], 'closed')
    await removeWidget(trx, of.id)
  })

/** Ends the tokens that a member made for widgets of a project. */
export async function endWidgetTokens(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { projectId, userId }: { readonly projectId: number; readonly userId: number },
): Promise<void> {
  const ids = await listWidgetFamilies(trx, projectId, userId)
  if (ids.length > 0) await endFamilies(services, trx, ids, 'closed')
}

/**
 * Returns the settings of a widget that differ from their defaults; null: none.
 * @throws ForbiddenError for another widget than the caller, and for those of other projects
 */
export async function readWidget(
  services: Services,
  user: User,
  id: number,
): Promise<{ readonly projectId: number; readonly payload: WidgetSettings | null }> {
  if ((user.grant?.widgetId ?? id) !== id) throw new ForbiddenError()
  const row = await findWidget(services.db, id)
  if (!row) throw new ForbiddenError()
  await authorize(services, user, row.project_id, 'viewer')
  return { projectId: row.project_id, payload: settingsOf(row.payload) }
}

/** Reads stored settings; null for none. */
export function settingsOf(payload: string): WidgetSettings | null {
  const settings = JSON.parse(payload) as WidgetSettings
  return Object.keys(settings).length === 0 ? null : settings
}

async function newToken(services: Services, trx: Trx, user: User, projectId: number) {
  const from = services.clock.now()
  const token = newWidgetToken()
  const family_id = await createScopedFamily(trx, {
    userId: user.id,
    projectId,
    scopes,
    from,
    to: later(from, lifeDays * dayMs),
  })
  await audit(services, trx, 'account.widget-token', { userId: user.id, familyId: family_id })
  return { token, family_id, hash: hashOf(token), hint: token.slice(-4) }
}

async function getWidget(db: ReadDb, { projectId, id }: Of) {
  const widget = await findWidget(db, id)
  if (widget?.project_id !== projectId) throw new RuleError('WidgetNotFound')
  return widget
}
