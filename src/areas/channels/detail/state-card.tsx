import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Channel } from '#contract/entities/channel.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { paths } from '#src/lib/paths.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { useIsPaused } from '#src/components/use-status.ts'
import { stateOf } from '#src/areas/channels/channel-state.ts'
import styles from './channel.module.css'
import { ConnectionTest } from './connection-test.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { useSwitch } from '#src/areas/channels/use-switch.ts'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** State of the channel, its switch and its destination. */
export function StateCard({ projectId, channel }: Props) {
  const { t } = useTranslation('channels')
  const { group_id: id, name, platform, account, active, ingress_url: address, channel_url: page } = channel
  const state = stateOf(channel, useIsPaused(projectId))
  const write = useSwitch(projectId)
  const mayEdit = rightCan(channel.access_type, 'editor')
  const off = state.name === 'unsupported' ? t('stateText.unsupported') : mayEdit ? undefined : t('row.viewer')
  return (
    <Card title={t('state.title')} actions={<Badge tone={state.tone}>{t(`state.${state.name}`)}</Badge>}>
      <p className={styles.quiet}>
        {t(`stateText.${state.name}`)} {state.name === 'failed' && t(`test.${channel.test?.reason ?? ''}`)}
        {state.name === 'error' && <Link to={paths.home(projectId)}>{t('state.why')}</Link>}
      </p>
      <Switch
        label={t('state.switch')}
        isOn={active}
        isBusy={write.isPending}
        off={off}
        onChange={(status) => write.mutate({ channel_id: id, status, project_id: projectId })}
      />
      <div role="alert" className={styles.refused}>
        {write.error && (
          <>
            {t(write.variables.status ? 'row.stayedOff' : 'row.stayedOn', { name })}{' '}
            <Refusal projectId={projectId} error={write.error} />
          </>
        )}
      </div>
      <FactList>
        <Fact name={t('fact.platform')}>{platform.title}</Fact>
        <Fact name={t('fact.account')} isQuiet={account === null}>
          {account?.name ?? t('row.byKey')}
        </Fact>
        {page !== '' && (
          <Fact name={t('fact.page')}>
            {/^https?:/.test(page) ? (
              <a href={page} target="_blank" rel="noreferrer">
                {page}
              </a>
            ) : (
              page
            )}
          </Fact>
        )}
        {address && (
          <Fact name={t('fact.address')}>
            <code>{address}</code>
          </Fact>
        )}
        {channel.usageType === 1 && <Fact name={t('fact.from')}>{t('fact.otherProject')}</Fact>}
      </FactList>
      {mayEdit && address && state.name !== 'unsupported' && (
        <ConnectionTest input={{ project_id: projectId, channel_id: id }} />
      )}
    </Card>
  )
}
