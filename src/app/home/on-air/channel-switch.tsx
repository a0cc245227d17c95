import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Channel } from '#contract/entities/channel.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { canReceive } from '#contract/entities/platform-types.ts'
import { useSwitch } from '#src/areas/channels/use-switch.ts'
import { Switch } from '#src/ui/switch.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
  readonly name: string
  readonly onSwitch: (channelId: number) => void
  readonly onRefused: (refusal: Error | null) => void
}

/** Switches a channel on or off. */
export function ChannelSwitch({ projectId, channel, name, onSwitch, onRefused }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const { mutate, isPending, error } = useSwitch(projectId)
  useEffect(() => onRefused(error), [error, onRefused])
  const maySwitch = rightCan(channel.access_type, 'editor')
  const off = canReceive(channel.type) ? (maySwitch ? undefined : t('viewer')) : t('unsupported')
  return (
    <Switch
      label={t('switch', { name })}
      isLabelHidden
      isOn={channel.active}
      isBusy={isPending}
      off={off}
      onChange={(status) => {
        onSwitch(channel.group_id)
        mutate({ channel_id: channel.group_id, status, project_id: projectId })
      }}
    />
  )
}
