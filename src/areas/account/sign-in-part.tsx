import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { auth } from '#contract/areas/account/auth.ts'
import { socials } from '#contract/areas/account/socials.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'
import { Socials } from './socials.tsx'
import { settings } from '#contract/areas/account/settings.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { TextField } from '#src/ui/text-field.tsx'

const empty = { old_password: '', new_password: '' }

/** Sets or changes the password. The change ends all other sessions. */
function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
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

/** Sign-in methods of the user: e-mail, password, social accounts. */
export function SignInPart() {
  const { t } = useTranslation('account')
  const me = useQuery(q(auth.me, {}))
  const list = useQuery(q(socials.list, {}))
  return (
    <QueryPart query={list} failed={t('socials.failed')} skeleton={<Skeleton height={420} />}>
      {(data) => (
        <div className={styles.stack}>
          <Socials list={data} />
          <div className={styles.halves}>
            <PasswordForm hasPassword={data.password} />
            {me.data && <EmailForm email={me.data.email ?? ''} hasPassword={data.password} />}
          </div>
        </div>
      )}
    </QueryPart>
  )
}

interface EmailFormProps {
  /** Current e-mail address; empty for none. */
  readonly email: string
  readonly hasPassword: boolean
}

/** E-mail address for sign-in. A change requires the password. */
function EmailForm({ email, hasPassword }: EmailFormProps) {
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
