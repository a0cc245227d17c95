import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { members } from '#contract/areas/projects/members.ts'
import { accessTypes, roleOf } from '#contract/entities/roles.ts'
import { useWrite } from '#src/api/query.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { Note } from '#src/ui/note.tsx'
import { nameOf } from './person.tsx'
import styles from './projects.module.css'
import { Refusal } from './refusal.tsx'
import { RoleChoice } from './role-choice.tsx'
import type { Member } from './use-team.ts'

interface Props {
  readonly projectId: number
  readonly member: Member
  readonly isMe: boolean
  readonly isPersonal: boolean
  /** Receives a sentence about the completed change. */
  readonly onDone: (text: string) => void
  readonly onClose: () => void
}

/** Owner's dialog for a member: change the role, transfer the project, remove the member. */
export function MemberDialog(props: Props) {
  const [asked, setAsked] = useState<'transfer' | 'remove' | null>(null)
  if (asked !== null) return <Question {...props} what={asked} onBack={() => setAsked(null)} />
  return <RoleForm {...props} onAsk={setAsked} />
}

function RoleForm(props: Props & { readonly onAsk: (what: 'transfer' | 'remove') => void }) {
  const { projectId, member, isMe, isPersonal, onDone, onClose, onAsk } = props
  const { t } = useTranslation('projects')
  const name = nameOf(member) || t('members.unnamed')
  const form = useWriteForm({
    op: members.changeAccess,
    area: 'projects',
    values: { access_type: member.access_type },
    inputOf: ({ access_type }) => ({ project_id: projectId, user_id: member.user_id, access_type }),
    onSuccess: (_, sent) => {
      onDone(t('done.role', { name, role: t(`role.${roleOf(sent.access_type)}`) }))
      onClose()
    },
  })
  const isBound = isPersonal && member.access_type === accessTypes.owner
  return (
    <Dialog title={t('member.title', { name })} onClose={onClose}>
      <DialogForm
        problem={form.problem && <Refusal error={form.problem} />}
        cancel={t('cancel')}
        submit={isBound ? null : t('member.save')}
        isBusy={form.isBusy}
        isOff={!form.isDirty}
        onSubmit={form.submit}
        onClose={onClose}
      >
        {isBound ? (
          <p>{t('member.personal')}</p>
        ) : (
          <RoleChoice isPersonal={isPersonal} {...form.field('access_type')} />
        )}
        {isMe && form.isDirty && <Note tone="warn">{t('member.own')}</Note>}
      </DialogForm>
      {!isMe && (
        <div className={styles.more}>
          {!isPersonal && (
            <Button look="quiet" onClick={() => onAsk('transfer')}>
              {t('member.transfer')}
            </Button>
          )}
          <Button look="quiet" onClick={() => onAsk('remove')}>
            {t('member.remove')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

const questions = { transfer: members.transferOwner, remove: members.del } as const
const doneKeys = { transfer: 'done.transferred', remove: 'done.removed' } as const

function Question(props: Props & { readonly what: 'transfer' | 'remove'; readonly onBack: () => void }) {
  const { projectId, member, what, onDone, onClose, onBack } = props
  const { t } = useTranslation('projects')
  const name = nameOf(member) || t('members.unnamed')
  const write = useWrite(questions[what], {
    onSuccess: () => {
      onDone(t(doneKeys[what], { name }))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t(`member.${what}Title`, { name })}
      confirm={t(`member.${what}`)}
      keep={t('member.keep')}
      isDanger={what === 'remove'}
      isBusy={write.isPending}
      problem={write.error && <Refusal error={write.error} />}
      onConfirm={() => write.mutate({ project_id: projectId, user_id: member.user_id })}
      onClose={onBack}
    >
      <p>{t(`member.${what}Text`, { name })}</p>
    </ConfirmDialog>
  )
}
