import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emailMax, invites } from '#contract/areas/projects/invites.ts'
import { type AccessType, accessTypes } from '#contract/entities/roles.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
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
  const [role, setRole] = useState<AccessType>(accessTypes.editor)
  const [email, setEmail] = useState('')
  const add = useWrite(invites.add)
  const emailError = add.error && toApiError(add.error).fields['email'] ? t('invite.emailInvalid') : undefined
  const handleSubmit = () => {
    if (add.isPending) return
    add.mutate({ project_id: projectId, access_type: role, ...(email.trim() && { email: email.trim() }) })
  }
  if (add.data) return <InviteLink invite={add.data} onClose={onClose} />
  return (
    <Dialog title={t('invite.title')} onClose={onClose}>
      <DialogForm
        problem={add.error && !emailError && <Refusal error={add.error} />}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={add.isPending}>
              {t('invite.send')}
            </Button>
          </>
        }
        onSubmit={handleSubmit}
      >
        <RoleChoice value={role} isPersonal={isPersonal} onChange={setRole} />
        <TextField
          label={t('invite.email')}
          hint={t('invite.emailHint')}
          error={emailError}
          type="email"
          autoComplete="off"
          maxLength={emailMax}
          value={email}
          onChange={setEmail}
        />
      </DialogForm>
    </Dialog>
  )
}
