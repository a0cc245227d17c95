// Currencies that projects pay in: an entry adds one. Amounts of every currency are hundredths (`minor units`).
import type { Language } from '#contract/core/wire.ts'

interface CurrencyFacts {
  /** Countries whose projects pay in it, ISO 3166-1 numeric. */
  readonly countries: readonly number[]
  /** Languages of the users whose first project pays in it. */
  readonly languages: readonly Language[]
}

/** Currencies by their code of ISO 4217 in lower case, in the order in which pages show them. */
export const currencies = {
  usd: { countries: [], languages: [] },
  rub: { countries: [643], languages: ['ru'] },
} as const satisfies Readonly<Record<string, CurrencyFacts>>

/** Code of a currency. */
export type Currency = keyof typeof currencies

/** All currencies in their order. */
export const currencyCodes = Object.keys(currencies) as [Currency, ...Currency[]]

/** Currency of the countries and languages that no entry names. */
export const usualCurrency: Currency = 'usd'

const facts: Readonly<Record<Currency, CurrencyFacts>> = currencies

/** Returns the currency of the projects of a country. @param countryId ISO 3166-1 numeric */
export const currencyOfCountry = (countryId: number): Currency =>
  currencyCodes.find((code) => facts[code].countries.includes(countryId)) ?? usualCurrency

/** Returns the country of a currency that has exactly one; undefined for another currency. */
export function onlyCountryOf(currency: Currency): number | undefined {
  const { countries } = facts[currency]
  return countries.length === 1 ? countries[0] : undefined
}

/** Returns the currency of the first project of a user. */
export const currencyOfLanguage = (language: Language): Currency =>
  currencyCodes.find((code) => facts[code].languages.includes(language)) ?? usualCurrency

/** Returns a value for each currency. */
export const byCurrency = <T>(valueOf: (currency: Currency) => T): Record<Currency, T> =>
  Object.fromEntries(currencyCodes.map((code) => [code, valueOf(code)])) as Record<Currency, T>

/** Fields of the wire with one value for each currency. @example CurrencyFields<'price', number> // { price_usd, price_rub } */
export type CurrencyFields<P extends string, T> = { [C in Currency as `${P}_${C}`]: T }

/** Returns the fields of the wire with a value for each currency, for example `price_usd` and `price_rub`. */
export const currencyFields = <P extends string, T>(
  prefix: P,
  valueOf: (currency: Currency) => T,
): CurrencyFields<P, T> =>
  Object.fromEntries(currencyCodes.map((code) => [`${prefix}_${code}`, valueOf(code)])) as CurrencyFields<P, T>
