import { IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
}

/** Ends the broadcast after confirmation. */
export function StopButton({ projectId, broadcastId }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'stop' })
  const failure = useFailureText()
  const [isAsking, setAsking] = useState(false)
  const stop = useWrite(broadcasts.stop, { onSuccess: () => setAsking(false) })
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <IconPlayerStop size={18} aria-hidden />
        {t('button')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('title')}
          confirm={t('confirm')}
          keep={t('keep')}
          isDanger
          isBusy={stop.isPending}
          problem={stop.error && failure(stop.error)}
          onConfirm={() => stop.mutate({ project_id: projectId, broadcast_id: broadcastId })}
          onClose={() => setAsking(false)}
        >
          <p>{t('text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
