import type { ReactNode } from 'react'
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
        <Figure>
          {t('liveFor')} <Elapsed since={since} />
        </Figure>
      )}
      {isSending && kbps !== null && <Figure>{formatBitrate(kbps, language).kbps}</Figure>}
      {typeof viewers === 'number' && <Figure>{t('viewers', { count: viewers })}</Figure>}
      {dropped > 0 && <Figure>{t('dropped', { count: dropped, shown: formatNumber(dropped, language) })}</Figure>}
      {reconnects > 0 && <Figure>{t('reconnects', { count: reconnects })}</Figure>}
    </>
  )
}

/** Kept in one piece where the line breaks. */
function Figure({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {' · '}
      <span className={styles.figure}>{children}</span>
    </>
  )
}
