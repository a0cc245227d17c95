import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/account/settings.ts'
import { passwordMax } from '#contract/entities/account.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'

/** Requests the password before an action that needs a fresh sign-in. @param onDone runs after a correct password */
export function ConfirmPassword({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const form = useWriteForm({
    op: settings.confirm,
    area: 'account',
    values: { password: '' },
    inputOf: (values) => values,
    refusals: { PasswordWrong: 'password' },
    onSuccess: onDone,
  })
  const { error, ...field } = form.field('password')
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <p role="alert">{t('confirm.text')}</p>
      <TextField
        label={t('password.old')}
        type="password"
        autoComplete="current-password"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step that the user opened
        autoFocus
        maxLength={passwordMax}
        error={form.problem ? why(form.problem) : error}
        {...field}
      />
      <div className={styles.actions}>
        <Button type="submit" isBusy={form.isBusy} isOff={!form.isDirty}>
          {t('confirm.button')}
        </Button>
      </div>
    </form>
  )
}
