import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  /** The heading is for assistive technology alone. */
  readonly isTitleHidden?: boolean
  readonly children: ReactNode
  readonly onClose: () => void
}

/** The browser's own dialog: it holds the focus, closes on Escape and beside it, and gives the focus back. */
export function Dialog({ title, isTitleHidden = false, children, onClose }: Props) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const isAway = useRef(false)
  useLayoutEffect(() => {
    const dialog = ref.current
    isAway.current = false
    dialog?.showModal()
    return () => {
      // Gone, or hidden while something in it is loaded: nobody has closed it.
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
      // Browsers close it on a second Escape, whatever the first one was answered.
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
