import { useTranslation } from 'react-i18next'
import { projects } from '#contract/areas/projects/projects.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { CodeBlock } from '#src/components/code-block.tsx'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions } from '#src/ui/dialog-form.tsx'
import styles from './account.module.css'

interface Props {
  readonly token: string
  readonly onClose: () => void
}

/** A new API token. Shown once: the server stores only its hash. */
export function NewApiToken({ token, onClose }: Props) {
  const { t } = useTranslation('account', { keyPrefix: 'tokens' })
  const copy = { idle: t('copy'), copied: t('copied'), refused: t('refused') }
  return (
    <Dialog title={t('newTitle')} onClose={onClose}>
      <div className={styles.stack}>
        <p>{t('once')}</p>
        <div className={styles.secret}>
          <code className={styles.token}>{token}</code>
          <CopyButton text={token} words={copy} look="filled" />
        </div>
        <CodeBlock heading="h3" label={t('example')} text={exampleOf(token)} copy={copy} />
        <p className={styles.note}>{t('leaked')}</p>
        <DialogActions>
          <Button onClick={onClose}>{t('done')}</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/** Returns a first call. Tokens need no quotes in a shell. */
const exampleOf = (token: string): string =>
  `curl -H 'X-API-KEY: ${token}' '${apiRuntime().baseUrl || location.origin}${projects.me.path}?v=1&language=en'`
