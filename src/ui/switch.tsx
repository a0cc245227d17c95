import { type ReactNode, useId } from 'react'
import styles from './switch.module.css'

interface Props {
  /** Accessible name. */
  readonly label: ReactNode
  readonly isLabelHidden?: boolean
  readonly isOn: boolean
  /** Request in flight: the switch already shows the requested state. */
  readonly isBusy?: boolean
  /** Disabled, with the reason. */
  readonly off?: ReactNode
  readonly onChange: (isOn: boolean) => void
}

/** Switch with immediate effect. A setting that is saved by a button uses a checkbox instead. */
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
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the label is clickable too; the switch handles the keyboard */}
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
