import { slotNames } from './slot-facts.ts'
import styles from './slots.module.css'

/** The cards before their content: the same boxes with the same lines. */
export function SlotsSkeleton() {
  return (
    <div className={styles.slots} aria-hidden>
      {slotNames.map((name) => (
        <div key={name} className={styles.card} data-slot={name} data-waiting>
          <span className={styles.when} />
          <span className={styles.box}>
            <span className={styles.plan}>
              <i />
            </span>
            <span className={styles.facts}>
              {['channels', 'bitrate', 'custom', 'video', 'date'].map((fact) => (
                <span key={fact} className={styles.fact}>
                  <i />
                  <i />
                </span>
              ))}
            </span>
            {name === 'current' && (
              <span className={styles.period}>
                <i />
              </span>
            )}
          </span>
        </div>
      ))}
    </div>
  )
}
