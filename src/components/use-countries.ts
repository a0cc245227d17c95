import { countryCodes, countryIdOf } from '#contract/entities/countries.ts'
import { localeOf } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import type { Choice } from '#src/ui/select-field.tsx'

/** Countries as choices by numeric code, sorted by name in the language of the page. */
export function useCountries(): readonly Choice[] {
  const locale = localeOf[useLanguage()]
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return countryCodes
    .map((code) => ({ value: String(countryIdOf(code)), label: names.of(code) ?? code }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
}
