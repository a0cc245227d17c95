import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/core/wire.ts'
import { toLanguage } from './i18n.ts'

/** The language in use; renders again when it changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return toLanguage(i18n.language) ?? 'en'
}
