// Widgets: pages for scenes of OBS and second screens, their settings, and the form of their ids.
import * as z from 'zod/mini'

/** Pages of widgets. `counter`: viewers; `badge`: on air or not; `countdown`: to a time; `health`: state of the broadcast. */
export const widgetKinds = ['counter', 'badge', 'countdown', 'health'] as const
export type WidgetKind = (typeof widgetKinds)[number]

/** Limits of settings. */
export const widgetLimits = {
  name: 60,
  title: 80,
  size: { min: 20, max: 400 },
  channels: { min: 8, max: 200 },
} as const

const color = z.string().check(z.regex(/^#[\da-f]{6}$/i))
const whole = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max))
const flag = z.boolean()

/** Settings of all kinds, without those that have their default (published C.5). Those below `icon` are ours. */
export const WidgetSettings = z.partial(
  z.object({
    bg: color,
    text: color,
    opacity: whole(0, 100),
    size: whole(widgetLimits.size.min, widgetLimits.size.max),
    channels_size: whole(widgetLimits.channels.min, widgetLimits.channels.max),
    test: flag,
    channels: flag,
    channels_layout: z.enum(['row', 'column']),
    total: flag,
    icon: flag,
    title: z.string().check(z.maxLength(widgetLimits.title)),
    until: z.iso.datetime({ offset: true }),
    timer: flag,
  }),
)
export type WidgetSettings = z.output<typeof WidgetSettings>

/** Id of a widget on the wire: its number in 24 hexadecimal digits (published C.2). */
export const TemplateId = z.string().check(z.regex(/^[\da-f]{24}$/))
export const templateId = (id: number): string => id.toString(16).padStart(24, '0')
/** Returns the number of a widget; 0 for an id that no widget has. */
export const widgetNumber = (template: string): number => {
  const id = Number.parseInt(template, 16)
  return id <= 2_147_483_647 ? id : 0
}
