import { useTranslation } from 'react-i18next'
import type { Words } from './history-words.ts'

/** The texts of projects, for functions that work without React. */
export function useWords(): Words {
  const { t } = useTranslation('projects')
  return (key, values = {}) => t(key, values)
}
