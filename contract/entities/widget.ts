// Settings of widgets, and the form of their ids.
import * as z from 'zod/mini'
import { widgetLimits } from './widget-kinds.ts'

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
