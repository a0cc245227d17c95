import { useId } from 'react'
import { Radio } from '#src/ui/checkbox.tsx'
import styles from './ingest.module.css'

interface Props<T extends string> {
  readonly label: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}

/** Radio group with its choices in one row. */
export function Choice<T extends string>({ label, value, choices, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((one) => (
        <label key={one.value} className={styles.option} data-on={one.value === value || undefined}>
          <Radio name={name} checked={one.value === value} onChange={() => onChange(one.value)} />
          {one.label}
        </label>
      ))}
    </fieldset>
  )
}
