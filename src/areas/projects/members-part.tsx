import { memo, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { LeaveProject } from './leave-project.tsx'
import { MemberDialog } from './member-dialog.tsx'
import styles from './projects.module.css'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useRoleText } from './use-role-text.ts'
import { type Member, useTeam } from './use-team.ts'
import { emailMax, invites, type ProjectInvite } from '#contract/areas/projects/invites.ts'
import { type AccessType, accessTypes, roleOf } from '#contract/entities/roles.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { InviteLink } from '#src/components/invite-link.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Refusal } from './refusal.tsx'
import { RoleChoice } from './role-choice.tsx'
import type { ProjectInfo } from '#contract/areas/projects/projects.ts'
import { q, useWrite } from '#src/api/query.ts'
import { nameOf, PersonPhoto } from './person.tsx'
import { IconLink, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import type { TFunction } from 'i18next'
import { Badge } from '#src/ui/badge.tsx'
import { SearchField } from '#src/ui/toolbar.tsx'

interface MemberListProps {
  readonly members: readonly Member[]
  readonly myId: number | null
  /** Present only for users with the right to change roles. */
  readonly onChange: ((member: Member) => void) | undefined
}

/** Number of members from which the search is shown. */
const searchFrom = 9

/** Member list with the role and capabilities of each member. */
function MemberList({ members, myId, onChange }: MemberListProps) {
  const { t } = useTranslation('projects')
  const [wanted, setWanted] = useState('')
  const may = useRoleText()
  const { colon } = usePunctuation()
  const words = useMemo(() => wordsOf(t, may, colon), [t, may, colon])
  const part = wanted.trim().toLowerCase()
  const shown = part === '' ? members : members.filter((member) => nameOf(member).toLowerCase().includes(part))
  return (
    <>
      {members.length >= searchFrom && <SearchField label={t('members.search')} value={wanted} onChange={setWanted} />}
      {shown.length === 0 ? (
        <p role="status" className={styles.quiet}>
          {t('members.none')}
        </p>
      ) : (
        <RowList>
          {shown.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              words={words}
              isMe={member.user_id === myId}
              onChange={onChange}
            />
          ))}
        </RowList>
      )}
    </>
  )
}

interface RowProps {
  readonly member: Member
  readonly isMe: boolean
  readonly words: ReturnType<typeof wordsOf>
  readonly onChange: MemberListProps['onChange']
}

/** Texts of the rows, translated once for lists of hundreds of members. */
const wordsOf = (t: TFunction<'projects'>, may: ReturnType<typeof useRoleText>, colon: string) => ({
  role: (accessType: AccessType) => `${t(`role.${roleOf(accessType)}`)}${colon}${may(roleOf(accessType))}`,
  unnamed: t('members.unnamed'),
  you: t('members.you'),
  change: t('members.change'),
  changeOf: (name: string) => t('members.changeOf', { name }),
})

const MemberRow = memo(function MemberRow({ member, isMe, words, onChange }: RowProps) {
  const name = nameOf(member) || words.unnamed
  return (
    <Row
      lead={<PersonPhoto name={name} photo={member.photo_50} />}
      title={
        <>
          {name} {isMe && <Badge tone="accent">{words.you}</Badge>}
        </>
      }
      about={words.role(member.access_type)}
      actions={
        onChange && (
          <Button look="outline" aria-label={words.changeOf(name)} onClick={() => onChange(member)}>
            {words.change}
          </Button>
        )
      }
    />
  )
})

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
  // In one render with the members, below which the other cards stand.
  const shown = useDeferredValue(list)
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
      {isOwner && shown && <InvitesCard projectId={projectId} onDone={setDone} />}
      {info.data && shown && <LeaveCard info={info.data} members={shown} />}
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

interface InviteDialogProps {
  readonly projectId: number
  readonly isPersonal: boolean
  readonly onClose: () => void
}

/** Dialog that creates an invitation and shows its link once, because the link is not stored. */
function InviteDialog({ projectId, isPersonal, onClose }: InviteDialogProps) {
  const { t } = useTranslation('projects')
  const form = useWriteForm({
    op: invites.add,
    area: 'projects',
    values: { access_type: accessTypes.editor as AccessType, email: '' },
    inputOf: ({ access_type, email }) => ({
      project_id: projectId,
      access_type,
      ...(email.trim() && { email: email.trim() }),
    }),
    messages: { email: t('invite.emailInvalid') },
  })
  if (form.output) return <InviteLink invite={form.output} onClose={onClose} />
  return (
    <Dialog title={t('invite.title')} onClose={onClose}>
      <DialogForm
        problem={form.problem && <Refusal error={form.problem} />}
        cancel={t('cancel')}
        submit={t('invite.send')}
        isBusy={form.isBusy}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <RoleChoice isPersonal={isPersonal} {...form.field('access_type')} />
        <TextField
          label={t('invite.email')}
          hint={t('invite.emailHint')}
          type="email"
          autoComplete="off"
          maxLength={emailMax}
          {...form.field('email')}
        />
      </DialogForm>
    </Dialog>
  )
}

interface LeaveCardProps {
  readonly info: ProjectInfo
  readonly members: readonly Member[]
}

/** Button to leave the project, or the reason why leaving is not possible. */
function LeaveCard({ info, members }: LeaveCardProps) {
  const { t } = useTranslation('projects')
  const { project_id, type } = info.data
  const isOwner = info.access.access_type === accessTypes.owner
  const owners = members.filter(({ access_type }) => access_type === accessTypes.owner).length
  const bound = isOwner && (type === 0 ? 'personal' : owners < 2 ? 'last' : null)
  return (
    <Card
      look="quiet"
      title={t('leave.title')}
      note={t(`leave.${bound || 'text'}`)}
      actions={!bound && <LeaveProject projectId={project_id} name={nameOf(info.data)} />}
    />
  )
}

interface InvitesCardProps {
  readonly projectId: number
  /** Receives a sentence about the completed change. */
  readonly onDone: (text: string) => void
}

/** Pending invitations to the project. */
function InvitesCard({ projectId, onDone }: InvitesCardProps) {
  const { t } = useTranslation('projects')
  const list = useQuery(q(invites.list, { project_id: projectId }))
  const count = list.data?.results.length
  return (
    <Card title={count ? t('invites.title', { count }) : t('invites.heading')}>
      <QueryPart query={list} failed={t('invites.failed')} skeleton={<Skeleton height={23} />}>
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

function InviteRow({ invite, onDone }: Pick<InvitesCardProps, 'onDone'> & { readonly invite: ProjectInvite }) {
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
