import styles from './page.module.css'
import { Skeleton } from './skeleton.tsx'

/** Where a page will be, while its code or its texts are on their way. */
export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <Skeleton height={31} width={220} />
      <Skeleton height={260} />
      <Skeleton height={180} />
    </div>
  )
}
