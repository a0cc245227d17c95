import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/account/settings.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'

const empty = { old_password: '', new_password: '' }

/** Sets or changes the password. The change ends all other sessions. */
export function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const form = useWriteForm({
    op: settings.password,
    area: 'account',
    values: empty,
    inputOf: (values) => values,
    rules: ({ old_password }) => ({
      old_password: hasPassword && old_password === '' ? t('password.oldMissing') : undefined,
    }),
    messages: { new_password: t('password.short', { min: passwordMin }) },
    refusals: { PasswordWrong: 'old_password' },
    next: () => empty,
  })
  return (
    <Card title={t('password.title')} note={t(hasPassword ? 'password.text' : 'password.firstText')}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        {hasPassword && (
          <TextField
            label={t('password.old')}
            type="password"
            autoComplete="current-password"
            maxLength={passwordMax}
            {...form.field('old_password')}
          />
        )}
        <TextField
          label={t('password.next')}
          type="password"
          autoComplete="new-password"
          hint={t('password.hint', { min: passwordMin })}
          maxLength={passwordMax}
          {...form.field('new_password')}
        />
        <div className={styles.actions}>
          <Button type="submit" isBusy={form.isBusy}>
            {t(hasPassword ? 'password.save' : 'password.saveFirst')}
          </Button>
        </div>
        <Note tone={form.problem ? 'live' : 'ok'}>
          {form.problem ? why(form.problem) : form.output ? t('password.saved') : ''}
        </Note>
      </form>
    </Card>
  )
}
