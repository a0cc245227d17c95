import styles from './page.module.css'
import { Skeleton } from './skeleton.tsx'

/** Placeholder of a page while its code or its texts load. */
export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <Skeleton height={31} width={220} />
      <Skeleton height={260} />
      <Skeleton height={180} />
    </div>
  )
}
