import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '#src/components/chart.tsx'
import { formatBitrate } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { withGaps } from '#src/ui/chart/points.ts'
import styles from './broadcasts.module.css'

export interface Sample {
  /** Unix time in seconds. */
  readonly at: number
  readonly kbps: number
}

interface Props {
  readonly samples: readonly Sample[]
  /** Seconds without a sample that count as a gap. */
  readonly gap: number
  readonly isSmall?: boolean
}

/** Bitrate chart over time. */
export const BitrateGraph = memo(function BitrateGraph({ samples, gap, isSmall = false }: Props) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'graph' })
  const language = useLanguage()
  const name = t('title')
  const series = useMemo(() => {
    const points = withGaps(
      samples.map(({ at, kbps }) => ({ at, value: kbps })),
      gap,
    )
    return [{ name, points, format: (kbps: number) => formatBitrate(Math.round(kbps), language) }]
  }, [samples, gap, name, language])
  if (samples.length === 0) return <p className={styles.quiet}>{t('none')}</p>
  return <Chart label={name} series={series} isSmall={isSmall} />
})
