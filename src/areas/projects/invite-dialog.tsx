import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emailMax, invites } from '#contract/areas/projects/invites.ts'
import type { Output } from '#contract/core/operation.ts'
import type { AccessType } from '#contract/entities/project.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './projects.module.css'
import { Refusal } from './refusal.tsx'
import { RoleChoice } from './role-choice.tsx'

interface Props {
  readonly projectId: number
  readonly isPersonal: boolean
  readonly onClose: () => void
}

/** Makes an invitation, then shows its link: once, because nobody keeps it. */
export function InviteDialog({ projectId, isPersonal, onClose }: Props) {
  const { t } = useTranslation('projects')
  const [role, setRole] = useState<AccessType>(1)
  const [email, setEmail] = useState('')
  const add = useWrite(invites.add)
  const emailError = add.error ? toApiError(add.error).fields['email']?.join(' ') : undefined
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (add.isPending) return
    add.mutate({ project_id: projectId, access_type: role, ...(email.trim() && { email: email.trim() }) })
  }
  if (add.data) return <Ready invite={add.data} onClose={onClose} />
  return (
    <Dialog title={t('invite.title')} onClose={onClose}>
      <form className={styles.form} onSubmit={handleSubmit} noValidate>
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
        <div role="alert" className={styles.refused}>
          {add.error && !emailError && <Refusal error={add.error} />}
        </div>
        <div className={styles.acts}>
          <Button look="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" isBusy={add.isPending}>
            {t('invite.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ReadyProps {
  readonly invite: Output<typeof invites.add>
  readonly onClose: () => void
}

function Ready({ invite, onClose }: ReadyProps) {
  const { t } = useTranslation('projects')
  const language = useLanguage()
  const { mail, email, url, date_expire } = invite
  const words = {
    idle: t('invite.copy.idle'),
    copied: t('invite.copy.copied'),
    refused: t('invite.copy.refused'),
  }
  return (
    <Dialog title={t('invite.ready')} onClose={onClose}>
      {mail !== 'none' && <Note tone={mail === 'sent' ? 'ok' : 'warn'}>{t(`invite.mail.${mail}`, { email })}</Note>}
      <TextField
        label={t('invite.link')}
        hint={t('invite.linkText', { date: formatDateTime(date_expire, language) })}
        value={url}
        readOnly
        onChange={() => undefined}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={styles.acts}>
        <Button look="outline" onClick={onClose}>
          {t('close')}
        </Button>
        <CopyButton look="filled" text={url} words={words} />
      </div>
    </Dialog>
  )
}
