// Widgets: pages for scenes of OBS and second screens. Without the schema library, for the pages themselves.

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

/** Returns the id of a widget on the wire (published C.2). */
export const templateId = (id: number): string => id.toString(16).padStart(24, '0')
/** Returns the number of a widget; 0 for an id that no widget has. */
export const widgetNumber = (template: string): number => {
  const id = Number.parseInt(template, 16)
  return id <= 2_147_483_647 ? id : 0
}
