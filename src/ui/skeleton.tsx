import styles from './skeleton.module.css'

/** Placeholder of the same size as the content: no layout shift. Lengths in pixels, or of CSS. */
export function Skeleton({
  height,
  width = '100%',
}: {
  readonly height: number | string
  readonly width?: number | string
}) {
  return <span className={styles.skeleton} style={{ height, width }} aria-hidden />
}
