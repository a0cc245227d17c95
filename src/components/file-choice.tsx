import type { ReactNode } from 'react'
import styles from './file-choice.module.css'

interface Props {
  /** Text of the button. */
  readonly children: ReactNode
  /** Types of files, as `accept` of an input. Default: all. */
  readonly accept?: string
  readonly isMultiple?: boolean
  readonly isBusy?: boolean
  /** Id of the element that explains the choice. */
  readonly describedBy?: string
  readonly onChoice: (files: readonly File[]) => void
}

/** Button that lets the user choose files. */
export function FileChoice({ children, accept, isMultiple, isBusy, describedBy, onChoice }: Props) {
  return (
    <label className={styles.button} aria-busy={isBusy}>
      {children}
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        multiple={isMultiple}
        aria-describedby={describedBy}
        onChange={({ currentTarget: input }) => {
          const files = Array.from(input.files ?? [])
          // Lets the user choose the same file again.
          input.value = ''
          if (files.length > 0) onChoice(files)
        }}
      />
    </label>
  )
}
