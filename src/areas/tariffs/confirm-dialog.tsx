import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  /** Says what the button does. */
  readonly confirm: string
  readonly keep: string
  readonly isDanger?: boolean
  readonly isBusy: boolean
  /** Cannot be confirmed; `problem` says why. */
  readonly isOff?: boolean
  /** Something that is new since the dialog opened. */
  readonly notice?: ReactNode
  readonly problem?: ReactNode
  readonly children: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something is done. The browser's own dialog: it holds the focus, and gives it back. */
export function ConfirmDialog(props: Props) {
  const { title, confirm, keep, isDanger = false, isBusy, isOff = false, notice, problem, children } = props
  const { onConfirm, onClose } = props
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const handleCancel = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isBusy) onClose()
  }
  // A second Escape closes it whatever the page says.
  const handleClosed = () => ref.current?.open || onClose()
  const isStill = isBusy || isOff
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={id} onCancel={handleCancel} onClose={handleClosed}>
      <h2 id={id}>{title}</h2>
      <output className={styles.notice}>{notice}</output>
      <div className={styles.body}>{children}</div>
      <div role="alert" className={styles.problem}>
        {problem}
      </div>
      <div className={styles.actions}>
        <button type="button" className={styles.keep} aria-disabled={isBusy} onClick={() => isBusy || onClose()}>
          {keep}
        </button>
        <button
          type="button"
          className={styles.confirm}
          data-danger={isDanger || undefined}
          aria-disabled={isStill}
          aria-busy={isBusy}
          onClick={() => isStill || onConfirm()}
        >
          {confirm}
        </button>
      </div>
    </dialog>
  )
}
