import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { slotNames } from './slot-facts.ts'
import styles from './slots.module.css'

interface Props {
  /** Facts of a card, without its dates. */
  readonly facts?: number
  /** Low cards, as the add-on lines have them. */
  readonly isLow?: boolean
}

/** Placeholder of the slot cards with the same boxes and lines. */
export function SlotsSkeleton({ facts = 4, isLow = false }: Props) {
  return (
    <div className={styles.slots} data-low={isLow || undefined} aria-hidden>
      {slotNames.map((name) => (
        <div key={name} className={styles.card} data-slot={name} data-waiting>
          <span className={styles.when} />
          <span className={styles.box}>
            <span className={styles.plan}>
              <i />
            </span>
            <FactList>
              {Array.from({ length: facts + 1 }, (_, fact) => (
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
