import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from '#src/areas/channels/channels.module.css'

/** Placeholder of the list with rows of the same height. */
export function ListSkeleton() {
  return (
    <div className={styles.list} aria-hidden>
      <div className={styles.listHead} />
      {['first', 'second', 'third', 'fourth'].map((line) => (
        <div key={line} className={styles.row}>
          <span className={styles.choose} />
          <Skeleton height={38} width={38} />
          <div className={styles.words}>
            <Skeleton height={16} width="12rem" />
          </div>
        </div>
      ))}
    </div>
  )
}
