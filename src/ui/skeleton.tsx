import styles from './skeleton.module.css'

/** Placeholder of the same size as the content: no layout shift. Lengths in pixels, the width may be a percentage. */
export function Skeleton({ height, width = '100%' }: { readonly height: number; readonly width?: number | string }) {
  return <span className={styles.skeleton} style={{ height, width }} aria-hidden />
}
