import { type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import type { Restream } from '#contract/entities/on-air.ts'
import { Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import { Ticking } from '#src/components/ticking.tsx'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from '#src/app/home/home.module.css'
import { LiveFiguresContext } from './live-figures.ts'
import { rateOf } from './rates.ts'

interface Props {
  readonly restream: Restream
}

/** Duration, amount sent, and errors of a channel. */
export function ChannelFigures({ restream }: Props) {
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
      {isSending && <Rate id={restream.id} />}
      {typeof viewers === 'number' && <Figure>{t('viewers', { count: viewers })}</Figure>}
      {dropped > 0 && <Figure>{t('dropped', { count: dropped, shown: formatNumber(dropped, language) })}</Figure>}
      {reconnects > 0 && <Figure>{t('reconnects', { count: reconnects })}</Figure>}
    </>
  )
}

function Rate({ id }: { readonly id: number }) {
  const language = useLanguage()
  const textOf = (kbps: number | null) => (kbps === null ? '–' : formatBitrate(kbps, language))
  return (
    <Figure isWide>
      <Ticking source={use(LiveFiguresContext)} text={({ sent }) => textOf(rateOf(sent, id))} />
    </Figure>
  )
}

interface FigureProps {
  /** Reserves its space while the value is unknown. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Does not wrap. */
function Figure({ isWide = false, children }: FigureProps) {
  return (
    <>
      {' · '}
      <span className={styles.figure} data-wide={isWide || undefined}>
        {children}
      </span>
    </>
  )
}
