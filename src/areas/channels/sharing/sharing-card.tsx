import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { access } from '#contract/areas/channels/access.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SharingDialog } from './sharing-dialog.tsx'
import { SharingGuest } from './sharing-guest.tsx'
import { SharingInvites } from './sharing-invites.tsx'
import { fullName } from './sharing-words.tsx'
import styles from './sharing.module.css'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Projects with access to a channel, on the page of that channel. */
export function SharingCard({ projectId, channel }: Props) {
  const { t } = useTranslation('sharing')
  const [isSharing, setSharing] = useState(false)
  const [done, setDone] = useState('')
  const place = { project_id: projectId, channel_id: channel.group_id }
  const list = useQuery(q(access.list, place))
  const isOwn = channel.usageType === 0
  const mayShare = isOwn && rightCan(channel.access_type, 'owner')
  return (
    <Card
      title={t('card.title')}
      note={t(isOwn ? 'card.note' : 'card.guestNote')}
      actions={
        mayShare && (
          <Button look="outline" onClick={() => setSharing(true)}>
            <IconUserPlus size={17} aria-hidden />
            {t('card.share')}
          </Button>
        )
      }
    >
      <Note tone="ok">{done}</Note>
      <QueryPart query={list} failed={t('card.failed')} skeleton={<Skeleton height={58} />}>
        {({ results }) => {
          const guests = results.filter(({ usageType }) => usageType === 1)
          const owner = results.find(({ usageType }) => usageType === 0)
          if (!isOwn) return <p>{t(`card.from.${channel.guestRights ?? 0}`, { name: fullName(owner?.project_) })}</p>
          if (guests.length === 0) return <p className={styles.quiet}>{t('card.none')}</p>
          return (
            <RowList label={t('card.list')}>
              {guests.map((guest) => (
                <SharingGuest key={guest.id} place={place} guest={guest} mayChange={mayShare} onDone={setDone} />
              ))}
            </RowList>
          )
        }}
      </QueryPart>
      {mayShare && <SharingInvites place={place} onDone={setDone} />}
      {isSharing && <SharingDialog place={place} name={channel.name} onClose={() => setSharing(false)} />}
    </Card>
  )
}
