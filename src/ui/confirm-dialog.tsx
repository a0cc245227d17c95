import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DialogActions, DialogProblem } from './dialog-form.tsx'
import styles from './confirm-dialog.module.css'

interface Props {
  readonly title: string
  /** Label of the confirm button. */
  readonly confirm: string
  readonly keep: string
  readonly isDanger?: boolean
  readonly isBusy: boolean
  /** Confirmation is disabled; `problem` holds the reason. */
  readonly isOff?: boolean
  /** Announcement of a change since the dialog opened. */
  readonly notice?: ReactNode
  readonly problem?: ReactNode
  readonly children: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Confirmation dialog. */
export function ConfirmDialog(props: Props) {
  const { title, confirm, keep, isDanger = false, isBusy, isOff = false, notice, problem, children } = props
  const { onConfirm, onClose } = props
  return (
    <Dialog title={title} onClose={() => isBusy || onClose()}>
      <output className={styles.notice}>{notice}</output>
      <div className={styles.body}>{children}</div>
      <DialogProblem>{problem}</DialogProblem>
      <DialogActions>
        <Button look="outline" isOff={isBusy} onClick={onClose}>
          {keep}
        </Button>
        <Button look={isDanger ? 'danger' : 'filled'} isBusy={isBusy} isOff={isOff} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
