import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './menu.module.css'

interface Props {
  /** Content of the button. */
  readonly target: ReactNode
  readonly targetClassName: string
  readonly label: string
  readonly children: ReactNode
}

/**
 * Links and buttons in a list that opens below a button. A native popover: it closes on Escape, on a click outside,
 * and after a press inside.
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
      <div id={id} ref={list} popover="auto" className={`${styles.popover} ${styles.list}`}>
        {children}
      </div>
    </div>
  )
}

/** Class name of a popover below the top bar. */
export const popoverClass: string = styles.popover ?? ''
/** Class name of a link or button in a menu. */
export const menuItemClass: string = styles.item ?? ''
