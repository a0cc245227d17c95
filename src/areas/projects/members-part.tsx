import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { InvitesCard } from './invites-card.tsx'
import { LeaveCard } from './leave-card.tsx'
import { MemberDialog } from './member-dialog.tsx'
import { MemberList } from './member-list.tsx'
import styles from './projects.module.css'
import { type Member, useTeam } from './use-team.ts'

/** Members of the project and their roles; owners can change them. */
export function MembersPart() {
  const { t } = useTranslation('projects')
  const team = useTeam()
  const { projectId, info, members, myId, isOwner } = team
  const [isInviting, setInviting] = useState(false)
  const [changed, setChanged] = useState<Member | null>(null)
  const [done, setDone] = useState('')
  const isPersonal = info.data?.data.type === 0
  const list = members.data?.results
  return (
    <div className={styles.part}>
      <Note tone="ok">{done}</Note>
      <Card
        title={list ? t('members.title', { count: list.length }) : t('members.heading')}
        note={info.data && !isOwner ? t('members.onlyOwners') : undefined}
        actions={isOwner && <Button onClick={() => setInviting(true)}>{t('invite.button')}</Button>}
      >
        <QueryPart query={members} failed={t('members.failed')} skeleton={<Skeleton height={180} />}>
          {({ results }) => <MemberList members={results} myId={myId} onChange={isOwner ? setChanged : undefined} />}
        </QueryPart>
        <HelpLinkLater article="team/roles" />
      </Card>
      {isOwner && <InvitesCard projectId={projectId} onDone={setDone} />}
      {info.data && list && <LeaveCard info={info.data} members={list} />}
      {isInviting && <InviteDialog projectId={projectId} isPersonal={isPersonal} onClose={() => setInviting(false)} />}
      {changed && (
        <MemberDialog
          projectId={projectId}
          member={changed}
          isMe={changed.user_id === myId}
          isPersonal={isPersonal}
          onDone={setDone}
          onClose={() => setChanged(null)}
        />
      )}
    </div>
  )
}
