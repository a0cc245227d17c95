// Keys of a message list: arrows move between rows, letters act on the row.
import type { KeyboardEvent, RefObject } from 'react'
import { actKeys, type Act, type ActsOf, type OnAct, opposites } from './acts.ts'
import type { ListTexts } from './list-texts.ts'
import type { Row } from './rows.ts'

interface Keys {
  readonly rows: readonly Row[]
  readonly active: string | null
  readonly setActive: (key: string | null) => void
  readonly scroller: RefObject<HTMLElement | null>
  readonly toIndex: (index: number) => void
  /** Follows new messages again. */
  readonly follow: () => void
  readonly actsOf: ActsOf
  readonly onAct: OnAct
  readonly t: ListTexts
  /** Announces why a key did nothing. */
  readonly onMissing: (reason: string) => void
}

/** Rows that Page Up and Page Down pass. */
const pageRows = 10

const steps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  k: -1,
  j: 1,
  PageUp: -pageRows,
  PageDown: pageRows,
  Home: -Infinity,
}

/** Returns the handler of `keydown` for a list. */
export function useListKeys(keys: Keys): (event: KeyboardEvent) => void {
  const { rows, active, setActive, scroller, toIndex, follow } = keys

  function move(by: number): void {
    const at = active === null ? rows.length : rows.findIndex(({ key }) => key === active)
    const to = Math.min(rows.length - 1, Math.max(0, at + by))
    const row = rows[to]
    if (!row) return
    setActive(row.key)
    toIndex(to)
    focusRow(scroller.current, row.key)
  }

  return (event) => {
    const { key, target } = event
    const isInside = target instanceof Element && target.closest('[popover], a') !== null
    if (event.altKey || event.ctrlKey || event.metaKey || isInside) return
    const step = steps[key]
    if (step !== undefined) move(step)
    else if (key === 'End' || key === 'Escape') follow()
    else if (key === 'Enter' && target instanceof HTMLLIElement) openMenu(target)
    else if (!act(key.toLowerCase(), keys)) return
    event.preventDefault()
  }
}

/** Runs the act of a key on the active row. @returns whether the key belongs to an act */
function act(key: string, { rows, active, actsOf, onAct, onMissing }: Keys): boolean {
  const name = actKeys[key]
  const row = rows.find((one) => one.key === active)
  if (!name || row?.kind !== 'message') return false
  const { acts, missing } = actsOf(row.message)
  const opposite = opposites[name]
  const found: Act | undefined = acts.find((one) => one.name === name) ?? acts.find((one) => one.name === opposite)
  if (found) onAct(found, row.message)
  else if (missing[name]) onMissing(missing[name])
  return true
}

const openMenu = (row: HTMLElement): void => row.querySelector<HTMLElement>('[data-menu]')?.click()

/** Focuses a row, which the list may draw only after it has scrolled there. */
function focusRow(scroller: HTMLElement | null, key: string, attempts = 5): void {
  const row = rowElement(scroller, key)
  if (row) row.focus({ preventScroll: true })
  else if (attempts > 0) requestAnimationFrame(() => focusRow(scroller, key, attempts - 1))
}

/** Element of a row, while it is drawn. */
export const rowElement = (scroller: HTMLElement | null, key: string): HTMLElement | undefined =>
  [...(scroller?.querySelectorAll<HTMLElement>('li[data-key]') ?? [])].find(({ dataset }) => dataset['key'] === key)
