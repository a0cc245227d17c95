import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import styles from './ingest.module.css'
import { obsTracks } from './obs-tracks.ts'
import { useIngestWords } from './use-ingest-words.ts'

/** Setup of OBS for a landscape and a portrait picture in one stream. */
export function ObsTracksCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('ingest')
  const words = useIngestWords()
  return (
    <Card title={t('obsTracks.title')} note={t('obsTracks.note')}>
      <ol className={styles.steps}>
        {['canvas', 'service', 'paste', 'choose'].map((step) => (
          <li key={step}>{t(`obsTracks.${step}`)}</li>
        ))}
      </ol>
      <div className={styles.command}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable region */}
        <pre tabIndex={0} aria-label={t('obsTracks.config')} role="group">
          {obsTracks()}
        </pre>
        <CopyButton text={obsTracks()} words={words.copy(t('obsTracks.config'))} />
      </div>
      <p className={styles.hint}>{t('obsTracks.canvasTrap')}</p>
      <p className={styles.hint}>{t('obsTracks.soundTrap')}</p>
      <p>
        <Link to={paths.channels(projectId)}>{t('obsTracks.channels')}</Link>
      </p>
      <HelpLinkLater article="stream/tracks" />
    </Card>
  )
}
