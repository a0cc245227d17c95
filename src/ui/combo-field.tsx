import { Combobox } from '@base-ui/react/combobox'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './combo-field.module.css'
import { Field } from './field.tsx'
import type { Choice } from './select-field.tsx'

interface Props {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly value: string | null
  readonly choices: readonly Choice[]
  /** Search text held by the parent, which also filters `choices`. Absent: the field filters them. */
  readonly search?: { readonly text: string; readonly onChange: (text: string) => void }
  /** Text shown when no choice matches. */
  readonly nothing: string
  readonly clearLabel: string
  /** Takes the focus when it mounts. */
  readonly isFocused?: boolean
  readonly onChange: (value: string | null) => void
}

/** Single choice from a searchable list (Base UI Combobox). Pages load it on demand. */
export function ComboField(props: Props) {
  const { label, hint, error, value, choices, search, nothing, clearLabel, isFocused = false, onChange } = props
  const box = useRef<HTMLDivElement>(null)
  const actions = useRef<Combobox.Root.Actions | null>(null)
  const [isOpen, setOpen] = useState(false)
  // The library unmounts with its Popup part, which is not used here (see below).
  useEffect(() => {
    if (!isOpen) actions.current?.unmount()
  }, [isOpen])
  const close = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return
    setOpen(false)
    // Shows the choice again instead of an unfinished search.
    actions.current?.unmount()
  }
  return (
    <Combobox.Root<Choice>
      open={isOpen}
      onOpenChange={setOpen}
      actionsRef={actions}
      items={choices}
      value={choices.find((choice) => choice.value === value) ?? null}
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={(choice) => onChange(choice?.value ?? null)}
      {...(search && { inputValue: search.text, onInputValueChange: search.onChange, filter: null })}
    >
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <div ref={box} className={styles.box} onBlur={close}>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user's own click */}
            <Combobox.Input {...control} autoFocus={isFocused} />
            <Combobox.Clear className={styles.button} aria-label={clearLabel}>
              <IconX size={16} aria-hidden />
            </Combobox.Clear>
            <IconChevronDown size={17} aria-hidden />
            {/* No Combobox.Popup: it hides the rest of the page, the label included, from assistive technology.
                Inside the field: a portal at the end of the page would open below a modal <dialog>. */}
            <Combobox.Portal container={box}>
              <Combobox.Positioner className={styles.place} sideOffset={6}>
                <div className={styles.popup}>
                  <Combobox.Empty className={styles.nothing}>{nothing}</Combobox.Empty>
                  <Combobox.List className={styles.list}>
                    {(choice: Choice) => (
                      <Combobox.Item key={choice.value} value={choice} className={styles.item}>
                        {choice.label}
                      </Combobox.Item>
                    )}
                  </Combobox.List>
                </div>
              </Combobox.Positioner>
            </Combobox.Portal>
          </div>
        )}
      </Field>
    </Combobox.Root>
  )
}
