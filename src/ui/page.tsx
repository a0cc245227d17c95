import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import styles from './page.module.css'

// Keeps keyboard focus when the focused control is removed.

const focusable = 'a[href], button, summary, [tabindex]'
const isShown = (element: Element) => element.checkVisibility?.() ?? true

/**
 * Keeps keyboard focus inside a page. When the focused control is removed, focus moves to its row, found by `data-row`
 * wherever the row moved to, else to the page's landmark. A row inside a closed `<details>` gives the focus to the summary.
 * @param frame element around the page
 */
function useKeepFocus(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = frame.current
    if (!root) return undefined
    let last: { readonly control: Element; readonly row: string | undefined } | null = null
    const rescue = () => {
      if (!last || last.control.isConnected) return
      const row = last.row === undefined ? null : root.querySelector(`[data-row="${CSS.escape(last.row)}"]`)
      last = null
      // Another control already has the focus.
      if (document.activeElement !== null && document.activeElement !== document.body) return
      const next = nextIn(row) ?? root.closest<HTMLElement>('main')
      next?.focus({ preventScroll: true })
    }
    const note = ({ target }: FocusEvent) => {
      const isInside = target instanceof Element && root.contains(target)
      last = isInside ? { control: target, row: target.closest<HTMLElement>('[data-row]')?.dataset['row'] } : null
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

/** The switch of a row, else its first control; the summary above it when the row is hidden. */
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

interface Props {
  readonly title: ReactNode
  /** One sentence under the title. */
  readonly intro?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** Heading and content of a page. Focus stays inside when the focused control is removed. */
export function Page({ title, intro, actions, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  useKeepFocus(frame)
  return (
    <div ref={frame} className={styles.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          <h1 className={styles.title}>{title}</h1>
          {intro && <p className={styles.intro}>{intro}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
