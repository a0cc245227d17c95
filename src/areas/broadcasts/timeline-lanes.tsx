import { useTranslation } from 'react-i18next'
import { formatDuration } from '#src/lib/duration.ts'
import { type Lane, sumOf } from './lanes.ts'
import styles from './timeline.module.css'

/** Width of the SVG view box in units, finer than any screen. */
const width = 10_000

interface Props {
  readonly lanes: readonly Lane[]
  /** Start of the visible range, Unix seconds. */
  readonly from: number
  readonly to: number
}

/** State of the encoder and each channel, aligned with the chart above. */
export function TimelineLanes({ lanes, from, to }: Props) {
  const { t } = useTranslation('broadcasts')
  const place = (at: number) => ((Math.min(Math.max(at, from), to) - from) / Math.max(to - from, 1)) * width
  return (
    <ul className={styles.lanes} aria-label={t('timeline.lanes')}>
      {lanes.map((lane) => {
        const { seconds, troubles } = sumOf(lane)
        return (
          <li key={lane.channelId ?? 0}>
            <div className={styles.lane}>
              <span>{lane.channelId === null ? t('timeline.encoder') : lane.name}</span>
              <span className={styles.quiet}>
                {t('timeline.on', { time: formatDuration(seconds * 1000) })}
                {troubles > 0 && ` · ${t('timeline.troubles', { count: troubles })}`}
              </span>
            </div>
            <svg
              className={styles.bar}
              viewBox={`0 0 ${width} 10`}
              preserveAspectRatio="none"
              aria-hidden
              focusable="false"
            >
              {lane.stretches
                .filter((stretch) => stretch.to > from && stretch.from < to)
                .map((stretch) => (
                  <rect
                    key={stretch.from}
                    data-tone={stretch.tone}
                    x={place(stretch.from)}
                    // Minimum width keeps short stretches visible.
                    width={Math.max(place(stretch.to) - place(stretch.from), width / 500)}
                    y={0}
                    height={10}
                  />
                ))}
            </svg>
          </li>
        )
      })}
    </ul>
  )
}

/** Colour legend of the lanes. */
export function TimelineLegend() {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'timeline' })
  return (
    <ul className={styles.legend} aria-label={t('legend')}>
      {(['on', 'poor', 'off'] as const).map((tone) => (
        <li key={tone}>
          <svg width={16} height={10} aria-hidden focusable="false">
            <rect data-tone={tone} width={16} height={10} />
          </svg>
          {t(`tone.${tone}`)}
        </li>
      ))}
    </ul>
  )
}
