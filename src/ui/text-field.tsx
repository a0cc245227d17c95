import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'

interface Props extends FieldProps, Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id' | 'className'> {
  readonly value: string
  /** Maximum length, with a counter. The field accepts more, so that a pasted text is not cut off unnoticed. */
  readonly limit?: number | undefined
  readonly onChange: (value: string) => void
}

/** Single-line text field. */
export function TextField({ label, isLabelHidden, hint, error, limit, value, onChange, ...rest }: Props) {
  const counted = limit === undefined ? undefined : { length: value.length, max: limit }
  return (
    <Field label={label} isLabelHidden={isLabelHidden ?? false} hint={hint} error={error} counted={counted}>
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
