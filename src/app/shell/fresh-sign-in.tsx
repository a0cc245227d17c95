import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { security } from '#contract/areas/account/security.ts'
import { settings } from '#contract/areas/account/settings.ts'
import { socials } from '#contract/areas/account/socials.ts'
import { passwordMax } from '#contract/entities/account.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions, DialogForm } from '#src/ui/dialog-form.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/text-field.tsx'

interface Props {
  readonly onEnd: (isConfirmed: boolean) => void
}

/** Confirms the sign-in before a write that needs a fresh one: by a code of the second factor, else by the password. */
export default function FreshSignIn({ onEnd }: Props) {
  const { t } = useTranslation('account', { keyPrefix: 'confirm' })
  const factors = useQuery(q(security.get, {}))
  const ways = useQuery(q(socials.list, {}))
  return (
    <Dialog title={t('title')} onClose={() => onEnd(false)}>
      <QueryPart query={factors} failed={t('failed')} skeleton={<Skeleton height={140} />}>
        {({ authenticator, passkeys }) => (
          <QueryPart query={ways} failed={t('failed')} skeleton={<Skeleton height={140} />}>
            {({ password }) =>
              authenticator || passkeys.length > 0 ? (
                <Confirm by="code" hasPasskey={passkeys.length > 0} onEnd={onEnd} />
              ) : password ? (
                <Confirm by="password" onEnd={onEnd} />
              ) : (
                <SignInAnew onEnd={onEnd} />
              )
            }
          </QueryPart>
        )}
      </QueryPart>
    </Dialog>
  )
}

interface ConfirmProps extends Props {
  readonly by: 'password' | 'code'
  readonly hasPasskey?: boolean
}

function Confirm({ by, hasPasskey = false, onEnd }: ConfirmProps) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const form = useWriteForm({
    op: settings.confirm,
    area: 'account',
    values: { password: '', code: '' },
    inputOf: (values) => values,
    refusals: { PasswordWrong: 'password', CodeWrong: 'code' },
    onSuccess: () => onEnd(true),
  })
  return (
    <DialogForm
      onSubmit={form.submit}
      onClose={() => onEnd(false)}
      problem={form.problem && why(form.problem)}
      cancel={t('confirm.cancel')}
      submit={t('confirm.button')}
      isBusy={form.isBusy}
      isOff={!form.isDirty}
    >
      <p>{t(by === 'code' ? 'confirm.codeText' : 'confirm.text')}</p>
      {hasPasskey && <PasskeyButton onEnd={onEnd} />}
      <TextField
        label={t(by === 'code' ? 'confirm.code' : 'password.old')}
        type={by === 'code' ? 'text' : 'password'}
        autoComplete={by === 'code' ? 'one-time-code' : 'current-password'}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step that the user opened
        autoFocus
        maxLength={passwordMax}
        {...form.field(by)}
      />
    </DialogForm>
  )
}

/** Confirms by a passkey. */
function PasskeyButton({ onEnd }: Props) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const ask = useWrite(security.askPasskey)
  const confirm = useWrite(settings.confirm)
  const [problem, setProblem] = useState('')
  async function press(): Promise<void> {
    setProblem('')
    try {
      const { options } = await ask.mutateAsync({})
      // Loaded with the first use.
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const passkey = await startAuthentication({ optionsJSON: options as never }).catch(() => null)
      if (passkey === null) return setProblem(t('confirm.passkeyDeclined'))
      await confirm.mutateAsync({ passkey: passkey as never })
      onEnd(true)
    } catch (error) {
      setProblem(why(error))
    }
  }
  return (
    <>
      <Button look="outline" isBusy={ask.isPending || confirm.isPending} onClick={() => void press()}>
        {t('confirm.passkey')}
      </Button>
      <Note tone="live">{problem}</Note>
    </>
  )
}

/** An account without a password and without a second factor has to sign in again. */
function SignInAnew({ onEnd }: Props) {
  const { t } = useTranslation('account')
  return (
    <>
      <p>{t('refusal.SignInAgain')}</p>
      <DialogActions>
        <Button onClick={() => onEnd(false)}>{t('confirm.close')}</Button>
      </DialogActions>
    </>
  )
}
