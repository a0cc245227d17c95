import { type ReactNode, useId } from 'react'
import { Radio } from './checkbox.tsx'
import styles from './choice-list.module.css'

interface ChoiceListProps<T extends string | number> {
  readonly label: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly title: string; readonly text: string }[]
  readonly error?: ReactNode
  readonly onChange: (value: T) => void
}

/** Radio buttons, each with an explanation. */
export function ChoiceList<T extends string | number>({ label, value, choices, error, onChange }: ChoiceListProps<T>) {
  const name = useId()
  return (
    <fieldset className={styles.choices} aria-describedby={error ? `${name}-error` : undefined}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <Radio name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <strong>{choice.title}</strong>
          <span>{choice.text}</span>
        </label>
      ))}
      {error && (
        <p id={`${name}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
