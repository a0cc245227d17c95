import { useTranslation } from 'react-i18next'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions } from '#src/ui/dialog-form.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import styles from './account.module.css'
import { CopyButton } from '#src/ui/copy-button.tsx'

interface Props {
  readonly name: string
  readonly clientId: string
  /** null: an app without a secret. */
  readonly secret: string | null
  readonly onClose: () => void
}

/** Client id of an app, and its new secret, which the server shows once. */
export function AppKeys({ name, clientId, secret, onClose }: Props) {
  const { t } = useTranslation('apps', { keyPrefix: 'own' })
  const copy = { idle: t('copy'), copied: t('copied'), refused: t('refused') }
  return (
    <Dialog title={t('keysTitle', { name })} onClose={onClose}>
      <div className={styles.stack}>
        <p>{t(secret === null ? 'keysPublic' : 'keysOnce')}</p>
        <div>
          <p>{t('clientId')}</p>
          <div className={styles.secret}>
            <code className={styles.token}>{clientId}</code>
            <CopyButton text={clientId} words={copy} />
          </div>
        </div>
        {secret !== null && <SecretField label={t('clientSecret')} value={secret} words={{ show: t('show'), copy }} />}
        <DialogActions>
          <Button onClick={onClose}>{t('close')}</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
