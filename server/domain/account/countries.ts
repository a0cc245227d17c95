// Countries in the languages of the wire.
import type { Language } from '#contract/core/wire.ts'

const namesOf = (language: Language) =>
  new Intl.DisplayNames(language === 'cn' ? 'zh-Hans' : language, { type: 'region' })
const countryNames = { en: namesOf('en'), ru: namesOf('ru'), cn: namesOf('cn') }

/** Of a node that nobody told where it is. */
const nowhere = 'ZZ'

/** A country in the language of the call. Countries have no numbers here yet: 0, as in a project. */
export const presentCountry = (code: string, language: Language) => ({
  name: code === nowhere ? '' : (countryNames[language].of(code) ?? code),
  code,
  id: 0,
})
