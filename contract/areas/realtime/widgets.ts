// Widgets of a project. Their pages have a token in the address, which reads what they show and nothing else.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, listOf, Success } from '#contract/core/wire.ts'
import { widgetKinds, widgetLimits } from '#contract/entities/widget-kinds.ts'
import { TemplateId, WidgetSettings } from '#contract/entities/widget.ts'

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(widgetLimits.name), z.regex(/^\P{Cc}*$/u))
const Token = z.object({ token: z.string() })

/** A widget, without its token. */
export const WidgetRow = z.object({
  template_id: z.string(),
  kind: z.enum(widgetKinds),
  name: z.string(),
  payload: WidgetSettings,
  hint: z.string(),
  is_active: z.boolean(),
  date_create: DateTime,
  date_use: z.nullable(DateTime),
})
export type WidgetRow = z.output<typeof WidgetRow>

const OfWidget = z.extend(InProject, { template_id: TemplateId })
const tokenNote = 'shown once; it goes into the address of the page'

export const widgets = group(
  'realtime.widgets',
  { prefix: 'integration-template/widget', title: 'Integration template', stale: ['realtime.widgets'] },
  {
    get: read('get', {
      name: 'Get settings of a widget',
      input: z.object({ template_id: TemplateId }),
      output: z.object({ payload: z.nullable(WidgetSettings), next: z.optional(z.nullable(DateTime)) }),
      auth: 'session',
      scope: 'broadcasts:read',
      isForWidgets: true,
      provenance: 'published',
      notes: {
        payload: 'settings that differ from their defaults; null: none',
        until: 'time to which a countdown counts; left out: the next run of a schedule',
        next: 'decided: begin of the next run of a schedule; null: none is planned',
      },
    }),
    list: read('', {
      name: 'Get list of widgets',
      input: InProject,
      output: listOf(WidgetRow),
      auth: 'editor',
      scope: 'broadcasts:read',
      provenance: 'decided',
      notes: {
        hint: 'last four signs of the token',
        is_active: 'false: the member that made the token has left, or has ended all sessions: replace it',
        date_use: 'last use, to five minutes',
      },
    }),
    add: write('POST', '', {
      name: 'Add a widget',
      input: z.extend(InProject, { kind: z.enum(widgetKinds), name, payload: z._default(WidgetSettings, {}) }),
      output: z.extend(WidgetRow, Token.shape),
      status: 201,
      auth: 'editor',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      announces: 'nothing',
      notes: { token: tokenNote },
    }),
    update: write('POST', 'update', {
      name: 'Change a widget',
      input: z.extend(OfWidget, { name, payload: WidgetSettings }),
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      announces: 'nothing',
      notes: { payload: 'replaces all settings; open pages show them within a second' },
    }),
    token: write('POST', 'token', {
      name: 'Replace the token of a widget',
      input: OfWidget,
      output: Token,
      auth: 'editor',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      replay: 'never',
      announces: 'nothing',
      notes: { token: `${tokenNote}. The old one and its open pages end within a second` },
    }),
    remove: write('POST', 'remove', {
      name: 'Remove a widget',
      input: OfWidget,
      output: Success,
      auth: 'editor',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      announces: 'nothing',
      notes: { template_id: 'its token and its open pages end within a second' },
    }),
  },
)
