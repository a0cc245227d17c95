// Titles and addresses of texts.
import type { Language } from '#contract/core/wire.ts'

interface Title {
  readonly language_iso: Language
  readonly value: string
}

/** Returns the title in a language, else in English, else in another one. */
export const titleIn = (titles: readonly Title[], language: Language): string =>
  [language, 'en']
    .map((each) => titles.find(({ language_iso }) => language_iso === each)?.value)
    .find((value) => value !== undefined) ??
  titles[0]?.value ??
  ''
