import { useTranslation } from 'react-i18next'
import type { Restream } from '#contract/areas/broadcasts/broadcasts.ts'
import { Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './home.module.css'

interface Props {
  readonly restream: Restream
  readonly kbps: number | null
}

/** For how long, how much, and what went wrong on the way. */
export function ChannelFigures({ restream, kbps }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const language = useLanguage()
  const { state, since, viewers, dropped = 0, reconnects = 0 } = restream
  const isSending = state === 'live' || state === 'degraded'
  return (
    <>
      {isSending && since && (
        <span className={styles.figure}>
          {t('liveFor')} <Elapsed since={since} />
        </span>
      )}
      {isSending && kbps !== null && <span className={styles.figure}>{formatBitrate(kbps, language).kbps}</span>}
      {typeof viewers === 'number' && <span className={styles.figure}>{t('viewers', { count: viewers })}</span>}
      {dropped > 0 && (
        <span className={styles.figure}>
          {t('dropped', { count: dropped, shown: formatNumber(dropped, language) })}
        </span>
      )}
      {reconnects > 0 && <span className={styles.figure}>{t('reconnects', { count: reconnects })}</span>}
    </>
  )
}
