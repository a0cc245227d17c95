import { expect, test } from 'vitest'
import { countryCodeOf, countryCodes, countryIdOf, russia } from './countries.ts'

test('has all countries of ISO 3166-1, each with its own numeric code', () => {
  expect(countryCodes).toHaveLength(249)
  expect(new Set(countryCodes.map(countryIdOf)).size).toBe(249)
  expect(countryCodes.toSorted()).toEqual(countryCodes)
})

test('knows every code as a country that has a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(countryCodes.filter((code) => names.of(code) === undefined)).toEqual([])
})

test('maps both codes to each other', () => {
  expect(countryCodes.filter((code) => countryCodeOf(countryIdOf(code)) !== code)).toEqual([])
  expect([countryIdOf('RU'), countryIdOf('US'), countryIdOf('ZZ')]).toEqual([russia, 840, 0])
  expect(countryCodeOf(1)).toBeNull()
})
