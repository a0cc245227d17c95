import { useTranslation } from 'react-i18next'
import { emailMax, invites } from '#contract/areas/projects/invites.ts'
import { type AccessType, accessTypes } from '#contract/entities/roles.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { InviteLink } from '#src/components/invite-link.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Refusal } from './refusal.tsx'
import { RoleChoice } from './role-choice.tsx'

interface Props {
  readonly projectId: number
  readonly isPersonal: boolean
  readonly onClose: () => void
}

/** Dialog that creates an invitation and shows its link once, because the link is not stored. */
export function InviteDialog({ projectId, isPersonal, onClose }: Props) {
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
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={form.isBusy}>
              {t('invite.send')}
            </Button>
          </>
        }
        onSubmit={form.submit}
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
