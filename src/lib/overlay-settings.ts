// Settings of the chat overlay in the fragment of its address. Fragments reach no server and no log.

/** Page of the overlay; it is no page of the dashboard. */
export const overlayPath = '/overlay/chat'

export const overlaySizes = ['small', 'medium', 'large', 'huge'] as const
export type OverlaySize = (typeof overlaySizes)[number]

/** Seconds after which messages disappear; 0: never. */
export const fadeSeconds = [0, 15, 30, 60, 120] as const
/** Most seconds that an overlay may wait before it shows a message. */
export const maxHoldS = 10

export interface OverlaySettings {
  readonly key: string
  readonly size: OverlaySize
  /** Shows the platform of each message. */
  readonly marks: boolean
  /** Seconds before a message is shown; null: the project's setting. */
  readonly hold: number | null
  /** Seconds after which a message disappears; 0: never. */
  readonly fade: number
}

/** Reads the fragment of an overlay; invalid values fall back to defaults. */
export function readOverlay(hash: string): OverlaySettings {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  return {
    key: values.get('key') ?? '',
    size: overlaySizes.find((size) => size === values.get('size')) ?? 'medium',
    marks: values.get('marks') !== 'off',
    hold: values.has('hold') ? secondsOf(values.get('hold'), maxHoldS) : null,
    fade: secondsOf(values.get('fade'), 3_600),
  }
}

/** The fragment of an overlay, without defaults. */
export function writeOverlay({ key, size, marks, hold, fade }: OverlaySettings): string {
  const values = new URLSearchParams({ key })
  if (size !== 'medium') values.set('size', size)
  if (!marks) values.set('marks', 'off')
  if (hold !== null) values.set('hold', String(hold))
  if (fade > 0) values.set('fade', String(fade))
  return `#${values.toString()}`
}

function secondsOf(text: string | null, max: number): number {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? Math.min(max, Math.round(value)) : 0
}
