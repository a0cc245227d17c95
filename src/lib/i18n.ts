// Three languages, by the wire's own codes. Texts load per language and namespace, when a page needs them.
import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import { recall, remember } from './storage.ts'

type Texts = Record<string, unknown>
const files = import.meta.glob<Texts>('/locales/*/*.json', { import: 'default' })

const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, namespace, done) => {
    const load = files[`/locales/${language}/${namespace}.json`]
    if (!load) return done(new Error(`No texts for ${language}/${namespace}`), null)
    load().then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    )
  },
}

/** Tag of the language for `Intl` and `<html lang>`. */
export const intlTag: Readonly<Record<Language, string>> = { en: 'en', ru: 'ru', cn: 'zh-Hans' }

/** The language in use. */
export const currentLanguage = (): Language => toLanguage(i18next.language) ?? 'en'

/** A browser's language tag as a language of the wire: `zh-CN` is `cn`; null when unsupported. */
export function toLanguage(tag: string | null | undefined): Language | null {
  const first = tag?.toLowerCase().split('-')[0] ?? ''
  const code = first === 'zh' ? 'cn' : first
  return languages.find((language) => language === code) ?? null
}

/** Switches the language of all pages immediately and stores it. */
export async function changeLanguage(language: Language): Promise<void> {
  remember('language', language)
  await i18next.changeLanguage(language)
}

/**
 * Starts with the language that the user chose, else the configured one, else the browser's, else English.
 * @param configured from /config.json
 */
export async function startI18n(configured: Language | null): Promise<void> {
  const wanted = navigator.languages.map(toLanguage).find((language) => language !== null)
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = intlTag[toLanguage(language) ?? 'en']
  })
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: toLanguage(recall('language')) ?? configured ?? wanted ?? 'en',
      // Plural rules go by tag, and `cn` is no tag: Intl would use the browser's language for it. So Chinese texts
      // have one form, without a suffix.
      supportedLngs: [...languages],
      fallbackLng: false,
      // Loaded as one file before any page: a part that loaded it later would suspend its whole page.
      ns: ['common', 'parts'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    })
}
