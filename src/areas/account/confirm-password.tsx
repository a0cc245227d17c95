import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/account/settings.ts'
import { passwordMax } from '#contract/entities/account.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'

/** Requests the password before an action that needs a fresh sign-in. @param onDone runs after a correct password */
export function ConfirmPassword({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [password, setPassword] = useState('')
  const confirm = useWrite(settings.confirm, { onSuccess: onDone })
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (password !== '' && !confirm.isPending) confirm.mutate({ password })
  }
  return (
    <form className={styles.form} onSubmit={handleSubmit} noValidate>
      <p role="alert">{t('confirm.text')}</p>
      <TextField
        label={t('password.old')}
        type="password"
        autoComplete="current-password"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step that the user opened
        autoFocus
        value={password}
        maxLength={passwordMax}
        error={confirm.error ? why(confirm.error) : undefined}
        onChange={(value) => {
          setPassword(value)
          if (confirm.error) confirm.reset()
        }}
      />
      <div className={styles.actions}>
        <Button type="submit" isBusy={confirm.isPending} isOff={password === ''}>
          {t('confirm.button')}
        </Button>
      </div>
    </form>
  )
}
