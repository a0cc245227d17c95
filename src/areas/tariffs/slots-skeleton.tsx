import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { slotNames } from './slot-facts.ts'
import styles from './slots.module.css'

/** Placeholder of the slot cards with the same boxes and lines. */
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
            <FactList>
              {['channels', 'bitrate', 'custom', 'video', 'date'].map((fact) => (
                <Fact key={fact} name={<i />}>
                  <i />
                </Fact>
              ))}
            </FactList>
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
