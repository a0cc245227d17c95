import { useTranslation } from 'react-i18next'
import { download } from '#src/lib/download.ts'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions } from '#src/ui/dialog-form.tsx'
import styles from './account.module.css'

interface Props {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** New recovery codes. Shown once: the server stores only hashes. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const { t } = useTranslation('account', { keyPrefix: 'security.codes' })
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog title={t('newTitle')} onClose={onClose}>
      <div className={styles.stack}>
        <p>{t('once')}</p>
        <ul className={styles.codes} aria-label={t('title')}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <DialogActions>
          <CopyButton text={text} words={{ idle: t('copy'), copied: t('copied'), refused: t('refused') }} />
          <Button look="outline" onClick={() => download('relaydeck-recovery-codes.txt', 'text/plain', text)}>
            {t('download')}
          </Button>
          <Button onClick={onClose}>{t('done')}</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
