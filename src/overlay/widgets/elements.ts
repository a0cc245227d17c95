// Elements of the widget pages. Texts from outside are only ever text nodes.
import type { WidgetSettings } from '#contract/entities/widget.ts'
import { marks } from '#contract/platforms/marks.gen.ts'

/** Creates an element. @param content text, or elements */
export function make(tag: string, className: string, ...content: readonly (string | Node | null)[]): HTMLElement {
  const element = document.createElement(tag)
  if (className !== '') element.className = className
  element.append(...content.filter((one) => one !== null))
  return element
}

/** Returns the mark of a platform: its letters on its colour; null for one without. */
export function markOf(type: string | undefined): HTMLElement | null {
  const known = Object.entries(marks).find(([one]) => one === type)?.[1]
  if (!known || known.letters === '') return null
  const mark = make('span', 'mark', known.letters)
  mark.ariaHidden = 'true'
  mark.style.background = known.ground
  mark.style.color = known.ink
  return mark
}

/** Colours of a widget on the picture (published C.5). */
export function paint(
  element: HTMLElement,
  { bg = '#09121d', text = '#f6f7fb', opacity = 100 }: WidgetSettings,
): HTMLElement {
  const alpha = Math.round((Math.min(100, Math.max(0, opacity)) / 100) * 255)
  element.style.background = `${bg}${alpha.toString(16).padStart(2, '0')}`
  element.style.color = text
  return element
}
