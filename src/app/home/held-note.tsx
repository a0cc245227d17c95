import { useTranslation } from 'react-i18next'
import { air } from '#contract/areas/broadcasts/air.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
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
  const failure = useFailureText()
  const play = useWrite(air.play)
  return (
    <Note tone="warn">
      <span className={styles.held}>
        {t('text')}
        {mayEdit && (
          <Button
            look="outline"
            isBusy={play.isPending}
            onClick={() => play.mutate({ project_id: projectId, broadcast_id: broadcastId })}
          >
            {t('button')}
          </Button>
        )}
        {play.error && <span role="alert">{failure(play.error)}</span>}
      </span>
    </Note>
  )
}
