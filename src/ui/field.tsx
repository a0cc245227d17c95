// Frame of every field: label above, control, and below it a hint, an error and a counter.
import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

/** Props of all fields. */
export interface FieldProps {
  readonly label: ReactNode
  /** Hides the label visually; assistive technology still reads it. */
  readonly isLabelHidden?: boolean
  /** Hint about valid values. */
  readonly hint?: ReactNode
  /** Error message; empty or absent when valid. */
  readonly error?: ReactNode
}

interface FrameProps extends FieldProps {
  /** Length of the text and its limit, for a counter. */
  readonly counted?: { readonly length: number; readonly max: number } | undefined
  readonly children: (control: ControlProps) => ReactNode
}

/** Connects a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string
  readonly className: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

/** Returns the counter of a text; without a limit none. Characters count, as in the contract, not UTF-16 code units. */
export const countOf = (value: string, limit: number | undefined): FrameProps['counted'] =>
  limit === undefined ? undefined : { length: Array.from(value).length, max: limit }

export function Field({ label, isLabelHidden = false, hint, error, counted, children }: FrameProps) {
  const id = useId()
  const isOver = counted !== undefined && counted.length > counted.max
  const hasError = Boolean(error)
  const describedBy = [hint && `${id}-hint`, counted && `${id}-count`, hasError && `${id}-error`].filter(Boolean)
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({
        id,
        className: styles.control ?? '',
        'aria-invalid': hasError || isOver || undefined,
        'aria-describedby': describedBy.join(' ') || undefined,
      })}
      {describedBy.length > 0 && <Below id={id} hint={hint} error={hasError && error} counted={counted} />}
    </div>
  )
}

function Below({ id, hint, error, counted }: Pick<FrameProps, 'hint' | 'error' | 'counted'> & { readonly id: string }) {
  return (
    <div className={styles.below}>
      <div>
        {error && (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        )}
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
      {counted && (
        <span id={`${id}-count`} className={styles.count} data-over={counted.length > counted.max || undefined}>
          {counted.length} / {counted.max}
        </span>
      )}
    </div>
  )
}
