import { useTranslation } from 'react-i18next'
import { air } from '#contract/areas/broadcasts/air.ts'
import { Note } from '#src/ui/note.tsx'
import { AirButton } from './air-button.tsx'
import styles from './held-note.module.css'

interface Props {
  readonly projectId: number
  /** The one that was stopped. */
  readonly broadcastId: number
  readonly mayEdit: boolean
}

/** The encoder goes on sending after somebody stopped the broadcast: nothing comes of it, until it begins anew. */
export function HeldNote({ projectId, broadcastId, mayEdit }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'held' })
  return (
    <Note tone="warn">
      <span className={styles.held}>
        {t('text')}
        {mayEdit && (
          <AirButton op={air.play} projectId={projectId} broadcastId={broadcastId}>
            {t('button')}
          </AirButton>
        )}
      </span>
    </Note>
  )
}
