import { useTranslation } from 'react-i18next'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Note } from '#src/ui/note.tsx'
import { AirButton } from '#src/app/home/on-air/air-button.tsx'
import styles from './held-note.module.css'

interface Props {
  readonly projectId: number
  /** The stopped broadcast. */
  readonly broadcastId: number
  readonly mayEdit: boolean
  /** The encoder was put on air again, and the next broadcast has not begun. */
  readonly isStarting: boolean
  readonly onStart: () => void
}

/**
 * Notice that the encoder of a stopped broadcast still sends: its stream is not distributed until you go live again.
 */
export function HeldNote({ projectId, broadcastId, mayEdit, isStarting, onStart }: Props) {
  const { t } = useTranslation('off-air', { keyPrefix: 'held' })
  const play = useWrite(broadcasts.play, { onSuccess: onStart })
  const failure = useFailureText()
  if (isStarting) return <Note>{t('starting')}</Note>
  return (
    <Note tone="warn">
      <span className={styles.held}>
        {t('text')}
        {mayEdit && (
          <AirButton write={play} projectId={projectId} broadcastId={broadcastId}>
            {t('button')}
          </AirButton>
        )}
        {play.error && <span role="alert">{failure(play.error)}</span>}
      </span>
    </Note>
  )
}
