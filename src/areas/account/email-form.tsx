import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/account/settings.ts'
import { passwordMax } from '#contract/entities/account.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
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
  const form = useWriteForm({
    op: settings.email,
    area: 'account',
    values: { email, password: '' },
    inputOf: (values) => ({ email: values.email.trim(), password: values.password }),
    rules: ({ password }) => ({ password: hasPassword && password === '' ? t('password.oldMissing') : undefined }),
    messages: { email: t('email.invalid') },
    refusals: { EmailTaken: 'email', PasswordWrong: 'password' },
    next: () => ({ email, password: '' }),
  })
  const { output, problem, write } = form
  const isChanged = form.values.email.trim() !== email
  /** A service that does not mention a confirmation link has changed the address. */
  const confirmation = (confirm: boolean | undefined, to: string) =>
    confirm ? t('email.sent', { to }) : t('email.saved')

  return (
    <Card title={t('email.title')} note={t(email ? 'email.text' : 'email.firstText')}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <TextField
          label={t('email.label')}
          type="email"
          autoComplete="email"
          maxLength={254}
          {...form.field('email')}
        />
        {hasPassword && isChanged && (
          <TextField
            label={t('password.old')}
            type="password"
            autoComplete="current-password"
            maxLength={passwordMax}
            {...form.field('password')}
          />
        )}
        <div className={styles.actions}>
          <Button type="submit" isBusy={form.isBusy} isOff={!isChanged}>
            {t('email.save')}
          </Button>
        </div>
        <Note tone={problem ? 'live' : 'ok'}>
          {problem ? why(problem) : output ? confirmation(output.confirm, write.variables?.email ?? '') : ''}
        </Note>
      </form>
    </Card>
  )
}
