import { useTranslation } from 'react-i18next'
import type { Words } from './history-words.ts'

/** Returns the translate function for the `projects` namespace, for use outside React components. */
export function useWords(): Words {
  const { t } = useTranslation('projects')
  return (key, values = {}) => t(key, values)
}
