import { useTranslation } from 'react-i18next'
import type { Translate } from './history-texts.ts'

/** Returns the translate function for the `projects` namespace, for use outside React components. */
export function useTranslate(): Translate {
  const { t } = useTranslation('projects')
  return (key, values = {}) => t(key, values)
}
