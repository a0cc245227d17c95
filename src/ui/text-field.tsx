import type { ComponentProps } from 'react'
import { countOf, Field, type FieldProps } from './field.tsx'

interface Props extends FieldProps, Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id' | 'className'> {
  readonly value: string
  /** Maximum number of characters, with a counter. The field accepts more, so that a pasted text is not cut off unnoticed. */
  readonly limit?: number | undefined
  readonly onChange: (value: string) => void
}

/** Single-line text field. */
export function TextField({ label, isLabelHidden, hint, error, limit, value, onChange, ...rest }: Props) {
  return (
    <Field
      label={label}
      isLabelHidden={isLabelHidden ?? false}
      hint={hint}
      error={error}
      counted={countOf(value, limit)}
    >
      {(control) => (
        <input
          type="text"
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
