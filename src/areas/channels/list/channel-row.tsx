import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Channel } from '#contract/entities/channel.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { paths } from '#src/lib/paths.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { stateOf } from '#src/areas/channels/channel-state.ts'
import styles from '#src/areas/channels/channels.module.css'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { TestButton } from '#src/areas/channels/detail/test-button.tsx'
import { useSwitch } from '#src/areas/channels/use-switch.ts'

interface Props {
  readonly projectId: number
  readonly channel: Channel
  readonly isChosen: boolean
  /** The broadcast is paused. */
  readonly isPaused: boolean
  readonly onChoose: (channelId: number, isChosen: boolean) => void
}

/** One channel: destination, state and switch. */
export const ChannelRow = memo(function ChannelRow({ projectId, channel, isChosen, isPaused, onChoose }: Props) {
  const { t } = useTranslation('channels')
  const { group_id: id, name, type, platform, account, active } = channel
  const state = stateOf(channel, isPaused)
  const write = useSwitch(projectId)
  const canTest = state.name === 'untested' || state.name === 'failed'
  const mayEdit = rightCan(channel.access_type, 'editor')
  const off = state.name === 'unsupported' ? t('stateText.unsupported') : mayEdit ? undefined : t('row.viewer')
  const about = [
    platform.title,
    account ? account.name : t('row.byKey'),
    channel.usageType === 1 && t('row.shared'),
    channel.guestsNum > 0 && t('row.guests', { count: channel.guestsNum }),
    Boolean(channel.delay) && t('row.delay', { seconds: channel.delay }),
  ]
  return (
    <li className={styles.row} data-on={active || undefined}>
      <label className={styles.choose}>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={!mayEdit}
          aria-label={t('row.choose', { name })}
          onChange={(event) => onChoose(id, event.currentTarget.checked)}
        />
      </label>
      <PlatformIcon type={type} />
      <div className={styles.words}>
        <Link className={styles.name} to={paths.channel(projectId, id)}>
          {name}
        </Link>
        <p className={styles.about}>{about.filter(Boolean).join(' · ')}</p>
      </div>
      <Badge tone={state.tone}>{t(`state.${state.name}`)}</Badge>
      {mayEdit && canTest && <TestButton projectId={projectId} channel={channel} />}
      <Switch
        label={t('row.switch', { name })}
        isLabelHidden
        isOn={active}
        isBusy={write.isPending}
        off={off}
        onChange={(status) => write.mutate({ channel_id: id, status, project_id: projectId })}
      />
      {state.name === 'failed' && <p className={styles.failed}>{t(`test.${channel.test?.reason ?? ''}`)}</p>}
      <div role="alert" className={styles.refused}>
        {write.error && (
          <p>
            {t(write.variables.status ? 'row.stayedOff' : 'row.stayedOn', { name })}{' '}
            <Refusal projectId={projectId} error={write.error} />
          </p>
        )}
      </div>
    </li>
  )
})
