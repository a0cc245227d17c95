// Rows of the overlay, made as elements: texts from outside are only ever text nodes.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { marks } from '#contract/platforms/marks.gen.ts'
import { colorOf, imageOf, partsOf } from '#src/lib/chat-text.ts'

/** Rows that the overlay keeps. */
export const maxRows = 60
/** Time in which a row that ends disappears, milliseconds. */
const fadeMs = 300
const maxBadges = 4

export interface RowSettings {
  readonly marks: boolean
  /** Seconds after which a row disappears; 0: never. */
  readonly fade: number
}

export interface Rows {
  readonly add: (message: ChatMessage) => void
  readonly remove: (fits: (message: ChatMessage) => boolean) => void
  readonly clear: () => void
}

/** Creates the rows inside of a list element. */
export function createRows(list: HTMLElement, settings: RowSettings): Rows {
  const shown = new Map<string, { readonly message: ChatMessage; readonly element: HTMLElement }>()

  function drop(id: string): void {
    shown.get(id)?.element.remove()
    shown.delete(id)
  }

  /** Returns the row before which a message belongs: after a gap, messages arrive behind later ones. Samples have no number. */
  function placeOf(seq: number): HTMLElement | null {
    let next: { readonly message: ChatMessage; readonly element: HTMLElement } | null = null
    for (const row of shown.values())
      if (seq > 0 && row.message.seq > seq && row.message.seq < (next?.message.seq ?? Infinity)) next = row
    return next?.element ?? null
  }

  function end(id: string): void {
    const row = shown.get(id)
    if (!row) return
    row.element.dataset['old'] = ''
    setTimeout(() => shown.get(id) === row && drop(id), fadeMs)
  }

  return {
    add: (message) => {
      const id = message.event_id
      if (shown.has(id)) return
      const element = rowOf(message, settings.marks)
      shown.set(id, { message, element })
      element.dataset['new'] = ''
      list.insertBefore(element, placeOf(message.seq))
      requestAnimationFrame(() => delete element.dataset['new'])
      const oldest = list.firstElementChild
      if (shown.size > maxRows) for (const [one, row] of shown) if (row.element === oldest) drop(one)
      if (settings.fade > 0) setTimeout(() => end(id), settings.fade * 1_000)
    },
    remove: (fits) => {
      for (const [id, { message }] of shown) if (fits(message)) drop(id)
    },
    clear: () => {
      for (const id of shown.keys()) drop(id)
    },
  }
}

/** Creates the element of a message. */
export function rowOf(message: ChatMessage, hasMarks: boolean, tag: 'li' | 'div' = 'li'): HTMLElement {
  const row = make(tag, 'row')
  row.dataset['kind'] = message.kind
  const mark = markOf(message)
  if (hasMarks && mark) row.append(mark)
  for (const badge of message.sender.badges.slice(0, maxBadges)) {
    const src = imageOf(badge.image)
    if (src) row.append(image({ className: 'badge', src, text: badge.title, instead: '' }))
  }
  const name = make('bdi', 'name', message.sender.name)
  const color = colorOf(message.sender.color)
  if (color) name.style.color = lighter(color)
  row.append(name)
  if (message.paid) row.append(make('span', 'amount', message.paid.text))
  const text = make('bdi', 'text')
  for (const part of partsOf(message))
    text.append(part.is === 'image' ? image({ ...part, className: 'emote', instead: part.text }) : part.text)
  row.append(text)
  return row
}

function make(tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

interface Picture {
  readonly className: string
  readonly src: string
  readonly text: string
  /** Text in place of an image that does not load. */
  readonly instead: string
}

function image({ className, src, text, instead }: Picture): HTMLElement {
  const element = document.createElement('img')
  Object.assign(element, { className, alt: text, referrerPolicy: 'no-referrer', src })
  element.addEventListener('error', () => element.replaceWith(instead))
  return element
}

function markOf({ restreams, is_outgoing }: ChatMessage): HTMLElement | null {
  const platform = is_outgoing ? undefined : restreams[0]?.platform
  const known = Object.entries(marks).find(([type]) => type === platform)?.[1]
  if (!known || known.letters === '') return null
  const mark = make('span', 'mark', known.letters)
  mark.style.background = known.ground
  mark.style.color = known.ink
  return mark
}

/** A colour with enough light for the dark outline of the text. */
function lighter(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const light = (0.299 * (parts[0] ?? 0) + 0.587 * (parts[1] ?? 0) + 0.114 * (parts[2] ?? 0)) / 255
  const share = Math.max(0, 0.6 - light)
  return `rgb(${parts.map((part) => Math.round(part + (255 - part) * share)).join(',')})`
}
