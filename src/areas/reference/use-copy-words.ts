import { useTranslation } from 'react-i18next'
import type { CopyWords } from '#src/ui/copy-button.tsx'

/** What a button says that copies text as a machine reads it. */
export function useCopyWords(): CopyWords {
  const { t } = useTranslation('reference', { keyPrefix: 'copy' })
  return { idle: t('idle'), copied: t('copied'), refused: t('refused') }
}
