import { useTranslation } from 'react-i18next'
import { security } from '#contract/areas/account/security.ts'
import { QrCode } from '#src/components/qr-code.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'

interface Props {
  readonly secret: string
  /** Content of the QR code. */
  readonly uri: string
  /** Receives recovery codes; none where the account has some already. */
  readonly onDone: (codes: readonly string[]) => void
  readonly onClose: () => void
}

/** Sets up an authenticator app: its QR code, and its first code. */
export function AuthenticatorDialog({ secret, uri, onDone, onClose }: Props) {
  const { t } = useTranslation('account', { keyPrefix: 'security.app' })
  const why = useFailureText('account')
  const form = useWriteForm({
    op: security.confirmAuthenticator,
    area: 'account',
    values: { code: '' },
    inputOf: ({ code }) => ({ code: code.trim() }),
    messages: { code: t('codeMissing') },
    refusals: { CodeWrong: 'code', CodeClock: 'code' },
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
  })
  return (
    <Dialog title={t('setTitle')} onClose={onClose}>
      <DialogForm
        onSubmit={form.submit}
        onClose={onClose}
        problem={form.problem && why(form.problem)}
        cancel={t('cancel')}
        submit={t('finish')}
        isBusy={form.isBusy}
      >
        <p>{t('scan')}</p>
        <QrCode text={uri} label={t('qr')} />
        <div className={styles.secret}>
          <p className={styles.note}>
            {t('byHand')} <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
          <CopyButton text={secret} words={{ idle: t('copy'), copied: t('copied'), refused: t('refused') }} />
        </div>
        <TextField
          label={t('code')}
          hint={t('codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.field('code')}
        />
      </DialogForm>
    </Dialog>
  )
}
