import { formatBitrate } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './figures.module.css'

/** A bitrate in kbps, the unit of the wire, with Mbps beside it, the unit of encoders. */
export function Bitrate({ kbps }: { kbps: number }) {
  const texts = formatBitrate(kbps, useLanguage())
  return (
    <span className={styles.figure}>
      {texts.kbps} <span className={styles.aside}>{texts.mbps}</span>
    </span>
  )
}
