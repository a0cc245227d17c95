// Reasons of the verdict on a broadcast, each with its figures and what to do in the encoder.
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Verdict, VerdictKind } from '#contract/entities/on-air.ts'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './verdict.module.css'

type Reason = Verdict['reasons'][number]

/** Form of the figures of a reason, a key below `faults:unit`; others have none. */
const units: Readonly<Partial<Record<VerdictKind, 'seconds' | 'fps' | 'least' | 'most' | 'channels'>>> = {
  keyframes: 'seconds',
  fps_low: 'fps',
  bitrate_low: 'least',
  audio_low: 'least',
  bitrate_high: 'most',
  bitrate_refused: 'most',
  channels_down: 'channels',
  channels_some: 'channels',
  not_seen: 'channels',
}

interface Props {
  readonly projectId: number
  readonly verdict: Verdict
  /** Reasons that the page shows elsewhere. */
  readonly without?: readonly VerdictKind[]
}

/** Lists the reasons of a verdict, the worst first; a screen reader hears each new one once. */
export function VerdictNote({ projectId, verdict, without = [] }: Props) {
  const { t } = useTranslation('faults')
  const reasons = verdict.reasons.filter(({ kind }) => !without.includes(kind))
  return (
    <>
      <div role="status" className="visually-hidden">
        {reasons.map(({ kind, level }) => `${t(`level.${level}`)}: ${t(`${kind}.title`)}`).join('. ')}
      </div>
      {reasons.length > 0 && (
        <ul className={styles.reasons} aria-label={t('title')}>
          {reasons.map((reason) => (
            <ReasonRow key={reason.kind} projectId={projectId} reason={reason} />
          ))}
        </ul>
      )}
    </>
  )
}

function ReasonRow({ projectId, reason }: { readonly projectId: number; readonly reason: Reason }) {
  const { t } = useTranslation('faults')
  const { kind, level } = reason
  const Icon = level === 'problem' ? IconCircleX : IconAlertTriangle
  const figures = useFigures(reason)
  return (
    <li className={styles.reason} data-level={level}>
      <Icon size={22} aria-hidden />
      <div className={styles.words}>
        <strong>{t(`${kind}.title`)}</strong>
        {figures && <span className={styles.figures}> {figures}</span>}
        <p>
          {t(`${kind}.todo`)}{' '}
          {kind.startsWith('bitrate_') && kind !== 'bitrate_low' && (
            <Link to={paths.tariffs(projectId)}>{t('plans')}</Link>
          )}
        </p>
      </div>
    </li>
  )
}

/** The measured value beside its limit; null without figures. */
function useFigures({ kind, value, limit }: Reason): string | null {
  const { t } = useTranslation('faults')
  const language = useLanguage()
  const unit = units[kind]
  if (unit === undefined || value === null || limit === null) return null
  const isKbps = unit === 'least' || unit === 'most'
  const shown = (figure: number) =>
    isKbps ? formatBitrate(Math.round(figure), language) : formatNumber(figure, language)
  return t(`unit.${unit}`, { value: shown(value), limit: shown(limit) })
}
