// Lower part of a dialog: refusal and buttons.
import type { ReactNode } from 'react'
import styles from './dialog-form.module.css'

interface Props {
  /** Reason of the refusal. */
  readonly problem?: ReactNode
  /** Buttons, the primary one last. */
  readonly actions: ReactNode
  readonly onSubmit: () => void
  readonly children: ReactNode
}

/** A form in a dialog. */
export function DialogForm({ problem, actions, onSubmit, children }: Props) {
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
      <DialogActions>{actions}</DialogActions>
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
