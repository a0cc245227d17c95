import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { hasAbility, takesSettings } from '#contract/platforms/platforms.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { q, useWrite } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useAir } from '#src/components/use-status.ts'
import { paths } from '#src/lib/paths.ts'
import { Note } from '#src/ui/note.tsx'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { AddressForm } from './address-form.tsx'
import styles from './channel.module.css'
import {
  DelayForm,
  hasPage,
  HealingForm,
  LadderForm,
  NameForm,
  PageForm,
  SilenceForm,
  TracksForm,
  TranscoderForm,
} from './small-forms.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { articleOf } from './platform-article.ts'
import { ChannelSharing } from '#src/areas/channels/sharing/channel-sharing.tsx'
import { StreamForm } from './stream-form.tsx'
import { TelegramPart } from './telegram-part.tsx'
import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Card, CardPart } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { planned } from '#contract/areas/channels/planned.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { FormPart, SettingsCard } from './settings-card.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { stateOf } from '#src/areas/channels/channel-state.ts'
import { ConnectionTest } from './connection-test.tsx'
import { useSwitch } from '#src/areas/channels/use-switch.ts'

/** Channel page: state, stream settings of the platform, address. */
export function ChannelPage() {
  const { t } = useTranslation('channels')
  const params = useParams()
  const projectId = Number(params['projectId'])
  const channelId = Number(params['channelId'])
  const query = useQuery(q(channels.get, { project_id: projectId, channel_id: channelId }))
  const { data } = query
  return (
    <Page
      title={
        <span className={styles.title}>
          {data && <PlatformIcon type={data.type} size={34} />}
          {data?.name ?? t('one.title')}
        </span>
      }
      actions={<Link to={paths.channels(projectId)}>{t('one.back')}</Link>}
    >
      <QueryPart query={query} failed={t('one.failed')} skeleton={<PartsSkeleton />}>
        {(channel) => <Parts key={channelId} projectId={projectId} channel={channel} />}
      </QueryPart>
    </Page>
  )
}

/** Placeholders of the cards. */
function PartsSkeleton() {
  return (
    <div className={styles.parts}>
      <Skeleton height={480} />
      <Skeleton height={680} />
    </div>
  )
}

function Parts({ projectId, channel }: { readonly projectId: number; readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const mayEdit = rightCan(channel.access_type, 'editor')
  return (
    <>
      {!mayEdit && <Note>{t('one.viewer')}</Note>}
      <div className={styles.parts} data-narrow={!mayEdit || undefined}>
        <StateCard projectId={projectId} channel={channel} />
        {mayEdit && <Settings projectId={projectId} channel={channel} />}
      </div>
    </>
  )
}

/** Settings that the caller may change, as far as this project and the platform take them. */
function Settings({ projectId, channel }: { readonly projectId: number; readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const common = { projectId, channel }
  const { type, platform, account } = channel
  // The project that owns the channel sets its name and address, and its key is not known here.
  const isOwn = channel.usageType === 0
  const isByKey = account === null
  const hasStream = takesSettings(type)
  const connect = `${paths.channels(projectId, 'add')}?platform=${type}`
  return (
    <SettingsCard title={t('settings.title')}>
      {!isOwn && <Note>{t('one.borrowed')}</Note>}
      {isOwn && platform.edit_name === 1 && <NameForm {...common} />}
      {isOwn && isByKey && <AddressForm {...common} />}
      {isOwn && isByKey && hasPage(type) && <PageForm {...common} />}
      {hasStream && !isByKey && <StreamForm {...common} type={type} />}
      {hasStream && isByKey && isOwn && (
        <p className={styles.quiet}>
          {t('stream.byKey', { platform: platform.title })} <Link to={connect}>{t('stream.connect')}</Link>
        </p>
      )}
      {!isByKey && hasAbility(type, 'planned') && <PlannedPart {...common} />}
      {type === 'telegram' && <TelegramPart {...common} />}
      <DelayForm {...common} />
      <TranscoderForm {...common} />
      <TracksForm {...common} />
      <LadderForm {...common} />
      <SilenceForm {...common} />
      {channel.healing !== undefined && <HealingForm {...common} healing={channel.healing} />}
    </SettingsCard>
  )
}

interface RemoveProps {
  readonly projectId: number
  readonly channel: Channel
}

/** Deletes the channel; a shared channel is only removed from this project. */
function Remove({ projectId, channel }: RemoveProps) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const kind = channel.usageType === 1 ? 'shared' : 'own'
  const remove = useWrite(channels.remove, {
    onSuccess: () => navigate(paths.channels(projectId), { replace: true }),
  })
  return (
    <CardPart title={t(`remove.${kind}.title`)} note={t(`remove.${kind}.note`)}>
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
    </CardPart>
  )
}

interface PlannedPartProps {
  readonly projectId: number
  readonly channel: Channel
}

/** Selects the scheduled stream on the platform for the next broadcast. */
function PlannedPart({ projectId, channel }: PlannedPartProps) {
  const { t } = useTranslation('channels')
  const language = useLanguage()
  const { comma } = usePunctuation()
  const common = { project_id: projectId, channel_id: channel.group_id }
  const query = useQuery(q(planned.get, common))
  return (
    <QueryPart query={query} failed={t('planned.failed')} skeleton={<Skeleton height={190} />}>
      {({ results, selected }) => {
        const found = results.flatMap((one) => one.planned ?? [])
        return (
          <FormPart
            projectId={projectId}
            title={t('planned.title')}
            saved={{ id: selected ?? '' }}
            op={planned.set}
            inputOf={({ id }) => ({ ...common, ...(id && { id }) })}
          >
            {({ values, field }) => (
              <SelectField
                label={t('planned.field')}
                hint={found.find(({ id }) => id === values.id)?.description ?? t('planned.hint')}
                choices={[
                  { value: '', label: t('planned.new') },
                  ...found.map(({ id, title, date }) => ({
                    value: id,
                    label: `${title}${comma}${formatDateTime(date, language)}`,
                  })),
                ]}
                {...field('id')}
              />
            )}
          </FormPart>
        )
      }}
    </QueryPart>
  )
}

interface StateCardProps {
  readonly projectId: number
  readonly channel: Channel
}

/** State of the channel, its switch and its destination; the projects that use it, and its removal. */
function StateCard({ projectId, channel }: StateCardProps) {
  const { t } = useTranslation('channels')
  const { group_id: id, name, platform, account, active, ingress_url: address, channel_url: page } = channel
  const state = stateOf(channel, useAir(projectId))
  const write = useSwitch(projectId)
  const mayEdit = rightCan(channel.access_type, 'editor')
  const off = mayEdit ? undefined : t('row.viewer')
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
            {/* What follows may be a secret. */}
            <code>{address.split('?')[0]}</code>
          </Fact>
        )}
        {channel.usageType === 1 && <Fact name={t('fact.from')}>{t('fact.otherProject')}</Fact>}
      </FactList>
      {mayEdit && address && <ConnectionTest input={{ project_id: projectId, channel_id: id }} />}
      <HelpLinkLater article={articleOf(channel.type)} />
      <ChannelSharing projectId={projectId} channel={channel} />
      {mayEdit && <Remove projectId={projectId} channel={channel} />}
    </Card>
  )
}
