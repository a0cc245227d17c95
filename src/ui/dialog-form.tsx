// What dialogs have below their words: why something was refused, and what can be done.
import type { ReactNode } from 'react'
import styles from './dialog-form.module.css'

interface Props {
  /** Why it was refused. */
  readonly problem?: ReactNode
  /** Buttons; the one that does it comes last. */
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

/** Why something was refused, said aloud. */
export function DialogProblem({ children }: { readonly children: ReactNode }) {
  return (
    <div role="alert" className={styles.problem}>
      {children}
    </div>
  )
}

/** The buttons of a dialog, at its end; the one that does it comes last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
