import type { ComponentProps } from 'react'
import { IconChevronDown } from '@tabler/icons-react'
import { Field, type FieldProps } from './field.tsx'
import styles from './field.module.css'

/** An option of a select. */
export interface Choice {
  readonly value: string
  readonly label: string
}

interface Props extends FieldProps, Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'id' | 'className'> {
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}

/** Single choice in a native select. For long lists with a search, use `ComboField`. */
export function SelectField({ label, isLabelHidden, hint, error, value, choices, onChange, ...rest }: Props) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden ?? false} hint={hint} error={error}>
      {(control) => (
        <div className={styles.box}>
          <select {...rest} {...control} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
          <IconChevronDown size={17} aria-hidden />
        </div>
      )}
    </Field>
  )
}
