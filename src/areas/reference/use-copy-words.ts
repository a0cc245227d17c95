import { useTranslation } from 'react-i18next'
import type { CopyWords } from '#src/ui/copy-button.tsx'

/** Labels of a copy button for machine-readable text. */
export function useCopyWords(): CopyWords {
  const { t } = useTranslation('reference', { keyPrefix: 'copy' })
  return { idle: t('idle'), copied: t('copied'), refused: t('refused') }
}
