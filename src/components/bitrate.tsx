import { formatBitrate } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './figures.module.css'

/** A bitrate in kbps, the unit of the wire. */
export function Bitrate({ kbps }: { kbps: number }) {
  return <span className={styles.figure}>{formatBitrate(kbps, useLanguage())}</span>
}
