// The three languages say the same things. Plural forms differ by language and count as one text.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('.', import.meta.url)
const namespacesOf = (language: string) => readdirSync(new URL(`${language}/`, folder)).toSorted()
const textsOf = (language: string, file: string): unknown =>
  JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8'))

const plural = /_(zero|one|two|few|many|other)$/
/** Forms that a language needs for a counted text. */
const forms: Readonly<Record<string, readonly string[]>> = {
  en: ['one', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  cn: ['other'],
}
const languages = Object.keys(forms)

/** Every text of a file with its path. */
function flat(value: unknown, path: string[] = []): [path: string, text: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]]
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, [...path, key]))
}

const keysOf = (language: string, file: string) =>
  [...new Set(flat(textsOf(language, file)).map(([path]) => path.replace(plural, '')))].toSorted()

test('every language has the same namespaces', () => {
  expect(namespacesOf('en').length).toBeGreaterThan(5)
  for (const language of languages) expect(namespacesOf(language)).toEqual(namespacesOf('en'))
})

const cases = languages.flatMap((language) => namespacesOf('en').map((file) => [language, file] as const))

test.each(cases)('%s/%s has the keys of the English texts', (language, file) => {
  expect(keysOf(language, file)).toEqual(keysOf('en', file))
})

test.each(cases)('%s/%s has a text for each key, with the same places to fill in', (language, file) => {
  const english = new Map(flat(textsOf('en', file)))
  const wrong = flat(textsOf(language, file)).filter(([path, text]) => {
    // A language with one form may write a counted text without it.
    const isSame = plural.test(path) || !english.has(path) || placesIn(text) === placesIn(english.get(path))
    return String(text).trim() === '' || !isSame
  })
  expect(wrong).toEqual([])
})

test.each(cases)('%s/%s counts as the language counts', (language, file) => {
  const paths = flat(textsOf(language, file)).map(([path]) => path)
  const counted = new Set(paths.filter((path) => plural.test(path)).map((path) => path.replace(plural, '')))
  const needed = [...counted].flatMap((base) => (forms[language] ?? []).map((form) => `${base}_${form}`))
  expect(needed.filter((path) => !paths.includes(path))).toEqual([])
})

/** The places of a text to fill in, in the order of the alphabet: languages put them where they belong. */
function placesIn(text: unknown): string {
  const names = [...String(text).matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1] ?? '')
  return names.toSorted((a, b) => a.localeCompare(b)).join()
}
