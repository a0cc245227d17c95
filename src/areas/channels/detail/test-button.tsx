import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Tests the address of a channel; its state shows the result. */
export function TestButton({ projectId, channel: { group_id: id, name } }: Props) {
  const { t } = useTranslation('channels')
  const test = useWrite(channels.test)
  return (
    <Button
      look="outline"
      isBusy={test.isPending}
      aria-label={t('test.one', { name })}
      onClick={() => test.mutate({ project_id: projectId, channel_id: id })}
    >
      {t('test.short')}
    </Button>
  )
}
