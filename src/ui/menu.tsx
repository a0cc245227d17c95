import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './menu.module.css'

interface Props {
  /** What opens it, without a button of its own. */
  readonly target: ReactNode
  readonly targetClassName: string
  readonly label: string
  readonly children: ReactNode
}

/**
 * Things that open below a button: links and buttons in a list. The browser's own popover: closes on Escape, beside it,
 * and when something in it was pressed.
 */
export function Menu({ target, targetClassName, label, children }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    const close = () => element?.hidePopover()
    element?.addEventListener('click', close)
    return () => element?.removeEventListener('click', close)
  }, [])
  return (
    <div className={styles.menu}>
      <button type="button" className={targetClassName} popoverTarget={id} aria-label={label} title={label}>
        {target}
      </button>
      <div id={id} ref={list} popover="auto" className={styles.list}>
        {children}
      </div>
    </div>
  )
}

/** The class of a link or button in a menu. */
export const menuItemClass: string = styles.item ?? ''
