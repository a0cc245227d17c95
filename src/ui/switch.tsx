import { type ReactNode, useId } from 'react'
import styles from './switch.module.css'

interface Props {
  /** What it switches. */
  readonly label: ReactNode
  readonly isLabelHidden?: boolean
  readonly isOn: boolean
  /** Its answer is on the way: it already shows what was asked for. */
  readonly isBusy?: boolean
  /** Cannot be switched, and says why. */
  readonly off?: ReactNode
  readonly onChange: (isOn: boolean) => void
}

/** On or off, at once. What has to be saved by a button is a checkbox instead. */
export function Switch({ label, isLabelHidden = false, isOn, isBusy = false, off, onChange }: Props) {
  const id = useId()
  const isStill = isBusy || Boolean(off)
  return (
    <span className={styles.frame}>
      <button
        type="button"
        role="switch"
        className={styles.switch}
        aria-checked={isOn}
        aria-labelledby={id}
        aria-busy={isBusy || undefined}
        aria-disabled={isStill || undefined}
        aria-describedby={off ? `${id}-off` : undefined}
        title={typeof off === 'string' ? off : undefined}
        onClick={() => isStill || onChange(!isOn)}
      >
        <span className={styles.track} aria-hidden />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a label is pressed as well; the keyboard has the switch */}
      <span
        id={id}
        className={isLabelHidden ? 'visually-hidden' : styles.label}
        onClick={() => isStill || onChange(!isOn)}
      >
        {label}
      </span>
      {off && (
        <span id={`${id}-off`} className={isLabelHidden ? 'visually-hidden' : styles.why}>
          {off}
        </span>
      )}
    </span>
  )
}
