import type { ComponentProps, ReactNode } from 'react'
import { IconSearch } from '@tabler/icons-react'
import { Field } from './field.tsx'
import field from './field.module.css'
import { SelectField, type SelectProps } from './select-field.tsx'
import styles from './toolbar.module.css'

/** Toolbar above a list: search, filters, and actions at the end. */
export function Toolbar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div role="search" aria-label={label} className={styles.toolbar}>
      {children}
    </div>
  )
}

interface SearchProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id' | 'className' | 'type'> {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Search field that fills the available width. */
export function SearchField({ label, isLabelHidden = true, value, onChange, ...rest }: SearchProps) {
  return (
    <div className={styles.search}>
      <Field label={label} isLabelHidden={isLabelHidden}>
        {(control) => (
          <div className={field.box} data-lens>
            <input
              placeholder={label}
              spellCheck={false}
              {...rest}
              {...control}
              type="search"
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
            <IconSearch size={18} aria-hidden />
          </div>
        )}
      </Field>
    </div>
  )
}

/** Filter of a toolbar: its first option, with an empty value, names the filter and shows all rows. */
export function FilterField<V extends string>(props: Omit<SelectProps<V>, 'isLabelHidden' | 'hint' | 'error'>) {
  return (
    <div className={styles.filter} data-set={props.value !== '' || undefined}>
      <SelectField {...props} isLabelHidden />
    </div>
  )
}
