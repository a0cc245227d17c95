import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { useWrite } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Deletes the channel; a shared channel is only removed from this project. */
export function RemoveCard({ projectId, channel }: Props) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const kind = channel.usageType === 1 ? 'shared' : 'own'
  const remove = useWrite(channels.remove, {
    onSuccess: () => navigate(paths.channels(projectId), { replace: true }),
  })
  return (
    <Card title={t(`remove.${kind}.title`)} note={t(`remove.${kind}.note`)} look="danger">
      <div>
        <Button look="outline" onClick={() => setAsking(true)}>
          {t(`remove.${kind}.button`)}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t(`remove.${kind}.ask`, { name: channel.name })}
          confirm={t(`remove.${kind}.confirm`)}
          keep={t('remove.keep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && <Refusal projectId={projectId} error={remove.error} />}
          onConfirm={() => remove.mutate({ project_id: projectId, channel_id: channel.group_id })}
          onClose={() => setAsking(false)}
        >
          <p>{t(`remove.${kind}.text`)}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
