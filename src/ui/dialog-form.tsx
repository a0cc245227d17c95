// Lower part of a dialog: refusal and buttons.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './dialog-form.module.css'

interface Props {
  /** Reason of the refusal. */
  readonly problem?: ReactNode
  /** Text of the button that closes the dialog. It is off while the form is being sent. */
  readonly cancel: string
  /** Text of the primary button; null: the form cannot be sent. */
  readonly submit: string | null
  readonly isBusy?: boolean
  /** Whether the primary button is off. */
  readonly isOff?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form in a dialog. */
export function DialogForm({
  problem,
  cancel,
  submit,
  isBusy = false,
  isOff = false,
  onSubmit,
  onClose,
  children,
}: Props) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <DialogProblem>{problem}</DialogProblem>
      <DialogActions>
        <Button look="outline" isOff={isBusy} onClick={onClose}>
          {cancel}
        </Button>
        {submit !== null && (
          <Button type="submit" isBusy={isBusy} isOff={isOff}>
            {submit}
          </Button>
        )}
      </DialogActions>
    </form>
  )
}

/** Reason of a refusal, announced to screen readers. */
export function DialogProblem({ children }: { readonly children: ReactNode }) {
  return (
    <div role="alert" className={styles.problem}>
      {children}
    </div>
  )
}

/** Buttons of a dialog, the primary one last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
