import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/account/settings.ts'
import { passwordMax } from '#contract/entities/account.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'

interface Props {
  /** Current e-mail address; empty for none. */
  readonly email: string
  readonly hasPassword: boolean
}

/** E-mail address for sign-in. A change requires the password. */
export function EmailForm({ email, hasPassword }: Props) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [draft, setDraft] = useState<{ readonly email?: string; readonly password?: string }>({})
  const [tried, setTried] = useState(false)
  const { email: wanted = email, password = '' } = draft
  const isDirty = wanted.trim() !== email
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(wanted.trim())
  const save = useWrite(settings.email, {
    onSuccess: () => {
      setDraft({})
      setTried(false)
    },
  })
  const refusal = save.error ? toApiError(save.error).name : ''

  const change = (part: typeof draft) => {
    setDraft((now) => ({ ...now, ...part }))
    if (!save.isPending) save.reset()
  }
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isDirty || save.isPending) return
    setTried(true)
    if (isAddress && (!hasPassword || password !== '')) save.mutate({ email: wanted.trim(), password })
  }
  const emailError = () => {
    if (refusal === 'EmailTaken') return t('refusal.EmailTaken')
    return tried && !isAddress ? t('email.invalid') : undefined
  }
  const passwordError = () => {
    if (refusal === 'PasswordWrong') return t('refusal.PasswordWrong')
    return tried && password === '' ? t('password.oldMissing') : undefined
  }
  /** A service that does not mention a confirmation link has changed the address. */
  const confirmation = (confirm: boolean | undefined, to: string) =>
    confirm ? t('email.sent', { to }) : t('email.saved')
  const isToldBelow = save.error !== null && !['EmailTaken', 'PasswordWrong'].includes(refusal)

  return (
    <Card title={t('email.title')} note={t(email ? 'email.text' : 'email.firstText')}>
      <form className={styles.form} onSubmit={handleSubmit} noValidate>
        <TextField
          label={t('email.label')}
          type="email"
          autoComplete="email"
          value={wanted}
          maxLength={254}
          error={emailError()}
          onChange={(value) => change({ email: value })}
        />
        {hasPassword && isDirty && (
          <TextField
            label={t('password.old')}
            type="password"
            autoComplete="current-password"
            value={password}
            maxLength={passwordMax}
            error={passwordError()}
            onChange={(value) => change({ password: value })}
          />
        )}
        <div className={styles.actions}>
          <Button type="submit" isBusy={save.isPending} isOff={!isDirty}>
            {t('email.save')}
          </Button>
        </div>
        <Note tone={save.error ? 'live' : 'ok'}>
          {isToldBelow ? why(save.error) : save.isSuccess ? confirmation(save.data.confirm, save.variables.email) : ''}
        </Note>
      </form>
    </Card>
  )
}
