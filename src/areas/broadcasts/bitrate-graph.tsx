import { useTranslation } from 'react-i18next'
import { formatBitrate, localeOf } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './graph.module.css'
import { lineOf, type Sample } from './graph-line.ts'

const size = { width: 720, height: 160 }

interface Props {
  readonly samples: readonly Sample[]
  /** Seconds without a sample that are a gap. */
  readonly gap: number
  readonly isSmall?: boolean
}

/** The bitrate over time, with the figures below it for whoever cannot see lines. */
export function BitrateGraph({ samples, gap, isSmall = false }: Props) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'graph' })
  const language = useLanguage()
  const line = lineOf(samples, { ...size, gap })
  if (!line) return <p className={styles.none}>{t('none')}</p>
  const { path, from, to, top } = line
  const time = new Intl.DateTimeFormat(localeOf[language], { timeStyle: to - from < 600 ? 'medium' : 'short' })
  const rate = (kbps: number) => formatBitrate(kbps, language).kbps
  return (
    <figure className={styles.graph} data-small={isSmall || undefined}>
      <div className={styles.frame}>
        <span className={styles.top} aria-hidden>
          {rate(top)}
        </span>
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden focusable="false">
          {[0, 0.5, 1].map((share) => (
            <line key={share} x1={0} x2={size.width} y1={share * size.height} y2={share * size.height} />
          ))}
          <path d={path} vectorEffect="non-scaling-stroke" />
        </svg>
      </div>
      <div className={styles.axis} aria-hidden>
        <span>{time.format(from * 1000)}</span>
        {to > from && (
          <>
            <span>{time.format((from + to) * 500)}</span>
            <span>{time.format(to * 1000)}</span>
          </>
        )}
      </div>
      <figcaption className={styles.figures}>
        {t('figures', { mean: rate(line.mean), min: rate(line.min), max: rate(line.max) })}
      </figcaption>
    </figure>
  )
}
