import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ChannelInvite, invites } from '#contract/areas/channels/invites.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import type { Place } from './sharing-guest.tsx'
import { fullName, Refused } from './sharing-words.tsx'
import styles from './sharing.module.css'

interface Props {
  readonly place: Place
  /** Receives a sentence about the completed change. */
  readonly onDone: (text: string) => void
}

/** Pending and declined invitations to the channel. */
export function SharingInvites({ place, onDone }: Props) {
  const { t } = useTranslation('sharing')
  const list = useQuery(q(invites.list, place))
  return (
    <QueryPart query={list} failed={t('invites.failed')} skeleton={null}>
      {({ results }) =>
        results.length === 0 ? null : (
          <>
            <h3 className={styles.sub}>{t('invites.title')}</h3>
            <RowList label={t('invites.title')}>
              {results.map((invite) => (
                <InviteRow key={invite.project_channel_invite_id} invite={invite} onDone={onDone} />
              ))}
            </RowList>
          </>
        )
      }
    </QueryPart>
  )
}

function InviteRow({ invite, onDone }: Pick<Props, 'onDone'> & { readonly invite: ChannelInvite }) {
  const { t } = useTranslation('sharing')
  const withdraw = useWrite(invites.del, { onSuccess: () => onDone(t('invites.withdrawn')) })
  const who = fullName(invite.to_project_) || (invite.email ?? t('invites.byLink'))
  return (
    <Row
      title={who}
      about={
        <>
          {t(`access.${invite.access_type}`)} {t('invites.until')} <DateStamp iso={invite.date_expire} />
        </>
      }
      actions={
        <>
          {invite.reject && <Badge tone="warn">{t('invites.declined')}</Badge>}
          <Button
            look="outline"
            isBusy={withdraw.isPending}
            aria-label={t('invites.withdrawOf', { who })}
            onClick={() => withdraw.mutate({ id: invite.project_channel_invite_id })}
          >
            {t('invites.withdraw')}
          </Button>
        </>
      }
    >
      {withdraw.error && <Refused error={withdraw.error} />}
    </Row>
  )
}
