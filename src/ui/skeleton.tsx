import styles from './skeleton.module.css'

/** Where something will be, in its own size: nothing moves when it comes. Lengths in pixels, the width may be a share. */
export function Skeleton({ height, width = '100%' }: { readonly height: number; readonly width?: number | string }) {
  return <span className={styles.skeleton} style={{ height, width }} aria-hidden />
}
