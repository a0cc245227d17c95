import { type ComponentProps, useState } from 'react'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { IconButton } from './button.tsx'
import { CopyIcon, type CopyWords } from './copy-button.tsx'
import { Field, type FieldProps } from './field.tsx'
import styles from './field.module.css'

interface Props extends FieldProps, Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id' | 'className' | 'type'> {
  readonly value: string
  readonly words: {
    /** Labels of the button that shows and hides the value. */
    readonly show: string
    /** Labels of the copy button; absent: no copy button. */
    readonly copy?: CopyWords
  }
  /** Absent: the secret can be shown and copied, not changed. */
  readonly onChange?: (value: string) => void
}

/** Field for a key or a token: masked until the user shows it, and never stored by the browser as a password. */
export function SecretField({ label, isLabelHidden, hint, error, value, words, onChange, ...rest }: Props) {
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} isLabelHidden={isLabelHidden ?? false} hint={hint} error={error}>
      {(control) => (
        <div className={styles.box} data-buttons={words.copy ? 2 : 1}>
          <input
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            {...rest}
            {...control}
            type="text"
            className={`${control.className} ${styles.secret}`}
            data-masked={!isShown || undefined}
            readOnly={onChange === undefined}
            value={value}
            onChange={(event) => onChange?.(event.currentTarget.value)}
          />
          <span className={styles.inside}>
            <IconButton label={words.show} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? <IconEyeOff size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
            </IconButton>
            {words.copy && <CopyIcon text={value} words={words.copy} />}
          </span>
        </div>
      )}
    </Field>
  )
}
