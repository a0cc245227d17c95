// Reasons of the verdict on a broadcast, each with its figures and what to do in the encoder.
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Verdict, VerdictKind } from '#contract/entities/on-air.ts'
import { figuresText } from '#src/lib/air-texts.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './verdict.module.css'

type Reason = Verdict['reasons'][number]

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
  const language = useLanguage()
  const figures = figuresText((key, values) => t(key, values), reason, language)
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
