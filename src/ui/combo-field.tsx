import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './combo-field.module.css'
import { Library } from './library.tsx'
import type { Choice } from './select-field.tsx'

interface Props {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly value: string | null
  readonly choices: readonly Choice[]
  /** What is typed: whoever looks choices up elsewhere gives others. Without it the choices are filtered here. */
  readonly search?: { readonly text: string; readonly onChange: (text: string) => void }
  /** Said in place of choices. */
  readonly nothing: string
  readonly clearLabel: string
  /** Takes the focus when it comes: it was asked for. */
  readonly isFocused?: boolean
  readonly onChange: (value: string | null) => void
}

/** One of many, found by typing. The library's, because browsers have no such element; pages load it on demand. */
export function ComboField(props: Props) {
  const { label, hint, error, value, choices, search, nothing, clearLabel, isFocused = false, onChange } = props
  return (
    <Library>
      <Select
        searchable
        classNames={{
          label: styles.label ?? '',
          input: styles.input ?? '',
          description: styles.description ?? '',
        }}
        clearable
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- where it is asked for
        autoFocus={isFocused}
        label={label}
        description={hint}
        error={error}
        value={value}
        data={choices}
        nothingFoundMessage={nothing}
        clearButtonProps={{ 'aria-label': clearLabel }}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        // In its place and not at the end of the page: it also opens inside dialogs.
        comboboxProps={{ withinPortal: false }}
        onChange={onChange}
        {...(search && { searchValue: search.text, onSearchChange: search.onChange, filter: ({ options }) => options })}
      />
    </Library>
  )
}
