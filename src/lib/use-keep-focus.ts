// Keyboard focus that survives the removal of the control that had it.
import { type RefObject, useEffect } from 'react'

const focusable = 'a[href], button, summary, [tabindex]'
const isShown = (element: Element) => element.checkVisibility?.() ?? true

/**
 * Keeps keyboard focus inside a list: when the focused control is removed, its row is focused next, found by `data-row`
 * wherever it moved to. A row inside a closed `<details>` gives the focus to the summary.
 * @param frame element around all rows
 */
export function useKeepFocus(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = frame.current
    if (!root) return undefined
    let last: { readonly control: Element; readonly row: string } | null = null
    const rescue = () => {
      if (!last || last.control.isConnected) return
      const row = root.querySelector(`[data-row="${CSS.escape(last.row)}"]`)
      last = null
      // Another control has it already.
      if (document.activeElement !== null && document.activeElement !== document.body) return
      nextIn(row)?.focus({ preventScroll: true })
    }
    const note = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined
      last = row === undefined ? null : { control: target as Element, row }
    }
    const changes = new MutationObserver(rescue)
    changes.observe(root, { childList: true, subtree: true })
    document.addEventListener('focusin', note)
    return () => {
      changes.disconnect()
      document.removeEventListener('focusin', note)
    }
  }, [frame])
}

/** The switch of a row, else its first control; the summary above it where the row cannot be seen. */
function nextIn(row: Element | null): HTMLElement | undefined {
  if (!row) return undefined
  const shown = [...row.querySelectorAll<HTMLElement>(focusable)].filter(isShown)
  return (
    shown.find((control) => control.role === 'switch') ??
    shown[0] ??
    row.closest('details')?.querySelector('summary') ??
    undefined
  )
}
