import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  /** Hides the heading visually; assistive technology still reads it. */
  readonly isTitleHidden?: boolean
  readonly children: ReactNode
  readonly onClose: () => void
}

/** The native dialog: it traps the focus, closes on Escape and on a click outside, and returns the focus. */
export function Dialog({ title, isTitleHidden = false, children, onClose }: Props) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const isAway = useRef(false)
  useLayoutEffect(() => {
    const dialog = ref.current
    isAway.current = false
    dialog?.showModal()
    return () => {
      // Removed, or hidden while a child loads: the user has not closed it.
      isAway.current = true
      dialog?.close()
    }
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Browsers close it on a second Escape, even when the first one was cancelled.
      onClose={() => ref.current?.open || isAway.current || onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className={styles.inside} data-bare={isTitleHidden || undefined}>
        <h2 id={id} className={isTitleHidden ? 'visually-hidden' : styles.title}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
