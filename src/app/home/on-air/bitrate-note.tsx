import { IconGauge } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/entities/on-air.ts'
import { formatBitrate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './bitrate-note.module.css'

interface Props extends Pick<OnAir, 'bitrate_state' | 'bitrate_max' | 'bitrate_judged'> {
  readonly projectId: number
}

/**
 * Warns that the bitrate exceeds the tariff: by how much, with its effect and the remedy. Renders nothing below the
 * limit.
 * The `Announcer` announces it once: the number changes each second.
 */
export const BitrateNote = memo(function BitrateNote(props: Props) {
  const { projectId, bitrate_state: state, bitrate_max: max, bitrate_judged: judged } = props
  const { t } = useTranslation('on-air-later', { keyPrefix: 'bitrate' })
  const language = useLanguage()
  const { gap } = usePunctuation()
  if (!state || state === 'fine' || !max) return null
  return (
    <section className={styles.note} aria-labelledby="bitrate" data-state={state}>
      <IconGauge size={24} aria-hidden />
      <div className={styles.words}>
        <h3 id="bitrate">{t(`${state}.title`)}</h3>
        <p>
          {t(`${state}.text`) + gap + t('todo')} <Link to={paths.tariffs(projectId)}>{t('tariffs')}</Link>
        </p>
      </div>
      <dl className={styles.figures}>
        {judged ? (
          <div>
            <dt>{t('measured')}</dt>
            <dd>{formatBitrate(judged, language)}</dd>
          </div>
        ) : null}
        <div>
          <dt>{t('limit')}</dt>
          <dd>{formatBitrate(max, language)}</dd>
        </div>
      </dl>
    </section>
  )
})
