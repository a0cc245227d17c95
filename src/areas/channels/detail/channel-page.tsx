import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { hasAbility, takesSettings } from '#contract/platforms/platforms.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Note } from '#src/ui/note.tsx'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { AddressForm } from './address-form.tsx'
import styles from './channel.module.css'
import { DelayForm, hasPage, NameForm, PageForm, TranscoderForm } from './small-forms.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { PlannedCard } from './planned-card.tsx'
import { articleOf } from './platform-article.ts'
import { RemoveCard } from './remove-card.tsx'
import { SharingCard } from '#src/areas/channels/sharing/sharing-card.tsx'
import { StateCard } from './state-card.tsx'
import { StreamForm } from './stream-form.tsx'
import { TelegramCard } from './telegram-card.tsx'
import { UnsavedForms } from './unsaved-forms.tsx'

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
      <div className={styles.column}>
        <Skeleton height={330} />
        <Skeleton height={400} />
      </div>
      <div className={styles.column}>
        <Skeleton height={240} />
        <Skeleton height={340} />
      </div>
    </div>
  )
}

function Parts({ projectId, channel }: { readonly projectId: number; readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const common = { projectId, channel }
  const { type, platform, account } = channel
  const mayEdit = rightCan(channel.access_type, 'editor')
  const hasForm = takesSettings(type) && mayEdit
  // The project that owns the channel sets these, and its key is not known here.
  const isOwn = channel.usageType === 0
  const place = mayEdit && isOwn && (
    <>
      {platform.edit_name === 1 && <NameForm {...common} />}
      {account === null && <AddressForm {...common} />}
      {account === null && hasPage(type) && <PageForm {...common} />}
    </>
  )
  return (
    <UnsavedForms>
      {!mayEdit && <Note>{t('one.viewer')}</Note>}
      {mayEdit && !isOwn && <Note>{t('one.borrowed')}</Note>}
      <div className={styles.parts} data-narrow={!hasForm || undefined}>
        <div className={styles.column}>
          <StateCard {...common} />
          <HelpLinkLater article={articleOf(type)} />
          {hasForm ? <StreamForm {...common} type={type} /> : place}
        </div>
        <div className={styles.column}>
          {mayEdit && account !== null && hasAbility(type, 'planned') && <PlannedCard {...common} />}
          {hasForm && place}
          {mayEdit && (
            <>
              {type === 'telegram' && <TelegramCard {...common} />}
              <DelayForm {...common} />
              <TranscoderForm {...common} />
            </>
          )}
          <SharingCard {...common} />
          {mayEdit && <RemoveCard {...common} />}
        </div>
      </div>
    </UnsavedForms>
  )
}
