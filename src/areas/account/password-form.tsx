import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/account/settings.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'

const empty = { old: '', next: '' }

/** Sets or changes the password. The change ends all other sessions. */
export function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [draft, setDraft] = useState(empty)
  const [tried, setTried] = useState(false)
  const save = useWrite(settings.password, {
    onSuccess: () => {
      setDraft(empty)
      setTried(false)
    },
  })
  const isWrong = save.error !== null && toApiError(save.error).name === 'PasswordWrong'
  const isShort = draft.next.length < passwordMin

  const change = (part: Partial<typeof empty>) => {
    setDraft((now) => ({ ...now, ...part }))
    if (!save.isPending) save.reset()
  }
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (isShort || save.isPending || (hasPassword && draft.old === '')) return
    save.mutate({ old_password: draft.old, new_password: draft.next })
  }
  const oldError = () => {
    if (isWrong) return t('refusal.PasswordWrong')
    return tried && draft.old === '' ? t('password.oldMissing') : undefined
  }

  return (
    <Card title={t('password.title')} note={t(hasPassword ? 'password.text' : 'password.firstText')}>
      <form className={styles.form} onSubmit={handleSubmit} noValidate>
        {hasPassword && (
          <TextField
            label={t('password.old')}
            type="password"
            autoComplete="current-password"
            value={draft.old}
            maxLength={passwordMax}
            error={oldError()}
            onChange={(old) => change({ old })}
          />
        )}
        <TextField
          label={t('password.next')}
          type="password"
          autoComplete="new-password"
          hint={t('password.hint', { min: passwordMin })}
          value={draft.next}
          maxLength={passwordMax}
          error={tried && isShort ? t('password.short', { min: passwordMin }) : undefined}
          onChange={(next) => change({ next })}
        />
        <div className={styles.actions}>
          <Button type="submit" isBusy={save.isPending}>
            {t(hasPassword ? 'password.save' : 'password.saveFirst')}
          </Button>
        </div>
        <Note tone={save.error ? 'live' : 'ok'}>
          {save.error && !isWrong ? why(save.error) : save.isSuccess ? t('password.saved') : ''}
        </Note>
      </form>
    </Card>
  )
}
