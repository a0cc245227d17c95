// What the pages of widgets show, and how they draw it.
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import type { WidgetSettings } from '#contract/entities/widget.ts'
import type { Texts } from '#src/overlay/texts.ts'

/** What a page shows. */
export interface View {
  readonly settings: WidgetSettings
  /** Null: not known yet, or not any more. */
  readonly status: BroadcastStatus | null
  /** Begin of the next run of a schedule; null: none, or not known. */
  readonly next?: string | null
  readonly texts: Texts
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Draws a view into an element, in place of what was there. */
export type Draw = (root: HTMLElement, view: View) => void
