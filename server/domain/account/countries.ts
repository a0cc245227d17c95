// Countries in the languages of the wire.
import type { Language } from '#contract/core/wire.ts'
import { countryIdOf } from '#contract/entities/countries.ts'

const namesOf = (language: Language) =>
  new Intl.DisplayNames(language === 'cn' ? 'zh-Hans' : language, { type: 'region' })
const countryNames = { en: namesOf('en'), ru: namesOf('ru'), cn: namesOf('cn') }

/** Code of a node without a location. */
const nowhere = 'ZZ'

/** Presents a country in the language of the call; id: ISO 3166-1 numeric, 0 for an unknown location. */
export const presentCountry = (code: string, language: Language) => ({
  name: code === nowhere ? '' : (countryNames[language].of(code) ?? code),
  code,
  id: countryIdOf(code),
})
