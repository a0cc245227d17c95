import { IconLink, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { invites, type ProjectInvite } from '#contract/areas/projects/invites.ts'
import { roleOf } from '#contract/entities/roles.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { nameOf } from './person.tsx'
import styles from './projects.module.css'
import { Refusal } from './refusal.tsx'

interface Props {
  readonly projectId: number
  /** Receives a sentence about the completed change. */
  readonly onDone: (text: string) => void
}

/** Pending invitations to the project. */
export function InvitesCard({ projectId, onDone }: Props) {
  const { t } = useTranslation('projects')
  const list = useQuery(q(invites.list, { project_id: projectId }))
  const count = list.data?.results.length
  return (
    <Card title={count ? t('invites.title', { count }) : t('invites.heading')}>
      <QueryPart query={list} failed={t('invites.failed')} skeleton={<Skeleton height={58} />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className={styles.quiet}>{t('invites.none')}</p>
          ) : (
            <RowList>
              {results.map((invite) => (
                <InviteRow key={invite.project_invite_id} invite={invite} onDone={onDone} />
              ))}
            </RowList>
          )
        }
      </QueryPart>
    </Card>
  )
}

function InviteRow({ invite, onDone }: Pick<Props, 'onDone'> & { readonly invite: ProjectInvite }) {
  const { t } = useTranslation('projects')
  const { email, project_id, project_invite_id: id, access_type, from_user_, date_expire } = invite
  const withdraw = useWrite(invites.del, { onSuccess: () => onDone(t('invites.withdrawn')) })
  const who = email ?? t('invites.byLink')
  const role = t(`role.${roleOf(access_type)}`)
  return (
    <Row
      lead={
        <span className={styles.photo} aria-hidden>
          {email === null ? <IconLink size={19} /> : <IconMail size={19} />}
        </span>
      }
      title={who}
      about={
        <>
          {from_user_ ? t('invites.about', { role, name: nameOf(from_user_) }) : role}
          {'. '}
          {t('invites.until')} <DateStamp iso={date_expire} />
        </>
      }
      actions={
        <Button
          look="outline"
          isBusy={withdraw.isPending}
          aria-label={t('invites.withdrawOf', { who })}
          onClick={() => withdraw.mutate({ project_id, id })}
        >
          {t('invites.withdraw')}
        </Button>
      }
    >
      <Note tone="warn">{withdraw.error && <Refusal error={withdraw.error} />}</Note>
    </Row>
  )
}
