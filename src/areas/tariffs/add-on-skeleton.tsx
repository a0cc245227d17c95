import styles from './add-ons.module.css'
import type { AddOnName } from './lines.ts'

/** Usual number of plans. */
const cards = { transcoding: 4, storage: 1 } as const

/** Placeholder of an add-on catalogue with boxes of the same size. */
export function AddOnSkeleton({ line }: { line: AddOnName }) {
  return (
    <div className={styles.cards} data-line={line} data-waiting aria-hidden>
      {Array.from({ length: cards[line] }, (_, card) => (
        <div key={card} className={styles.card} />
      ))}
    </div>
  )
}
