// Widgets over HTTP.
import { type WidgetRow, widgets } from '#contract/areas/realtime/widgets.ts'
import { templateId, type WidgetKind, widgetNumber } from '#contract/entities/widget-kinds.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import {
  addWidget,
  changeWidget,
  deleteWidget,
  readWidget,
  replaceWidgetToken,
  settingsOf,
} from '#server/domain/projects/widgets.ts'
import { listWidgets, type WidgetListRow } from '#server/domain/projects/widgets-store.ts'
import { findNextBegin } from '#server/domain/broadcasts/schedules-store.ts'
import { publish } from '#server/domain/realtime/realtime.ts'

export const widgetRoutes = implement(widgets, {
  get: async ({ template_id }, ctx) => {
    const { projectId, payload } = await readWidget(ctx, ctx.user, widgetNumber(template_id))
    return { payload, next: await findNextBegin(ctx.db, projectId, iso(ctx.clock.now())) }
  },

  list: async ({ project_id }, { db, clock }) => ({
    results: (await listWidgets(db, project_id, iso(clock.now()))).map(present),
  }),

  add: async ({ project_id: projectId, kind, name, payload }, ctx) => {
    const { row, token } = await addWidget(ctx, ctx.user, { projectId, kind, name, payload })
    return { ...present(row), token }
  },

  update: async ({ project_id: projectId, template_id, name, payload }, ctx) => {
    const id = widgetNumber(template_id)
    await changeWidget(ctx, { projectId, id }, { name, payload })
    const event = 'widget-template-payload'
    publish(ctx, { type: 'widget_template', id }, { event, payload: settingsOf(JSON.stringify(payload)) })
    return { success: true }
  },

  token: async ({ project_id: projectId, template_id }, ctx) => ({
    token: await replaceWidgetToken(ctx, ctx.user, { projectId, id: widgetNumber(template_id) }),
  }),

  remove: async ({ project_id: projectId, template_id }, ctx) => {
    await deleteWidget(ctx, { projectId, id: widgetNumber(template_id) })
    return { success: true }
  },
})

const present = (row: WidgetListRow): WidgetRow => ({
  template_id: templateId(row.id),
  kind: row.kind as WidgetKind,
  name: row.name,
  payload: settingsOf(row.payload) ?? {},
  hint: row.hint,
  is_active: Number(row.active) > 0,
  date_create: row.date_create,
  date_use: row.date_use,
})
