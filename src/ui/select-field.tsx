import type { ComponentProps } from 'react'
import { IconChevronDown } from '@tabler/icons-react'
import { Field, type FieldProps } from './field.tsx'
import styles from './field.module.css'

/** An option of a select. */
export interface Choice<V extends string = string> {
  readonly value: V
  readonly label: string
}

/** Props of a select; `V`: values of its choices. */
export interface SelectProps<V extends string>
  extends FieldProps, Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'id' | 'className'> {
  readonly value: V
  readonly choices: readonly Choice<V>[]
  readonly onChange: (value: V) => void
}

/** Single choice in a native select. For long lists with a search, use `ComboField`. */
export function SelectField<V extends string>(props: SelectProps<V>) {
  const { label, isLabelHidden, hint, error, value, choices, onChange, ...rest } = props
  const choose = (chosen: string) => {
    const choice = choices.find((one) => one.value === chosen)
    if (choice) onChange(choice.value)
  }
  return (
    <Field label={label} isLabelHidden={isLabelHidden ?? false} hint={hint} error={error}>
      {(control) => (
        <div className={styles.box}>
          <select {...rest} {...control} value={value} onChange={(event) => choose(event.currentTarget.value)}>
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
