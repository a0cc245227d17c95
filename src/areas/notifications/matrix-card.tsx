import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type NotifySetting, type Preferences, settings } from '#contract/areas/notifications/settings.ts'
import { NotifyCategory, type NotifyChannel } from '#contract/entities/notification.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Switch } from '#src/ui/switch.tsx'
import styles from './notifications.module.css'

const channels: readonly NotifyChannel[] = ['cabinet', 'email', 'telegram', 'mobile']

interface Props {
  readonly projectId: number
  /** Channels that the installation is configured for. */
  readonly ready: Preferences['ready']
}

/** Categories by channel in this project, and the test notification. */
export function MatrixCard({ projectId, ready }: Props) {
  const { hasPlans } = useInstallation()
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const { list } = usePunctuation()
  const setting = useQuery(q(settings.get, { project_id: projectId }))
  const test = useWrite(settings.test)
  const sent = test.data?.sent.map((channel) => t(`channel.${channel}`)).join(list)
  return (
    <Card
      title={t('settings.title')}
      note={t('settings.note')}
      actions={
        <Button look="outline" isBusy={test.isPending} onClick={() => test.mutate({ project_id: projectId })}>
          {t('settings.test')}
        </Button>
      }
    >
      <Note tone={test.error ? 'live' : 'ok'}>
        {test.error ? why(test.error) : sent !== undefined && t('settings.sent', { channels: sent })}
      </Note>
      <QueryPart query={setting} failed={t('settings.failed')} skeleton={<Skeleton height={220} />}>
        {(found) => (
          <table className={styles.matrix}>
            <thead>
              <tr>
                <th scope="col">{t('settings.channel')}</th>
                {NotifyCategory.options.map((category) => (
                  <th key={category} scope="col">
                    {t(`category.${category}`)}
                    <span className={styles.hint}>
                      {t(
                        category === 'important' && !hasPlans
                          ? 'categoryHint.importantFree'
                          : `categoryHint.${category}`,
                      )}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {channels
                .filter((channel) => channel === 'cabinet' || ready[channel])
                .map((channel) => (
                  <ChannelRow key={channel} channel={channel} projectId={projectId} setting={found} />
                ))}
            </tbody>
          </table>
        )}
      </QueryPart>
      <HelpLinkLater article="notifications/settings" />
    </Card>
  )
}

interface RowProps {
  readonly channel: NotifyChannel
  readonly projectId: number
  readonly setting: NotifySetting
}

function ChannelRow({ channel, projectId, setting }: RowProps) {
  const { t } = useTranslation('notifications')
  const { colon } = usePunctuation()
  const name = t(`channel.${channel}`)
  return (
    <tr>
      <th scope="row">
        {name}
        {channel !== 'cabinet' && !setting.channels[channel] && (
          <span className={styles.hint}>{t(`unreachable.${channel}`)}</span>
        )}
      </th>
      {NotifyCategory.options.map((category) => (
        <td key={category}>
          <CategorySwitch
            label={name + colon + t(`category.${category}`)}
            input={{ project_id: projectId, notify_channel: channel, notify_category: category }}
            isOn={setting.relation[channel].includes(category)}
          />
        </td>
      ))}
    </tr>
  )
}

interface SwitchProps {
  readonly label: string
  readonly input: {
    readonly project_id: number
    readonly notify_channel: NotifyChannel
    readonly notify_category: NotifyCategory
  }
  readonly isOn: boolean
}

function CategorySwitch({ label, input, isOn }: SwitchProps) {
  const why = useFailureText('notifications')
  const set = useWrite(settings.set)
  // The switch shows the requested state until the response.
  const shown = set.isPending ? set.variables.status === 'enable' : isOn
  return (
    <>
      <Switch
        label={label}
        isLabelHidden
        isOn={shown}
        isBusy={set.isPending}
        onChange={(on) => set.mutate({ ...input, status: on ? 'enable' : 'disable' })}
      />
      {set.error && <p role="alert">{why(set.error)}</p>}
    </>
  )
}
