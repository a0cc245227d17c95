import { describe, expect, test } from 'vitest'
import { languages } from '#contract/core/codes.ts'

type Texts = { readonly [key: string]: string | Texts }
const files = import.meta.glob<Texts>('/locales/*/**/*.json', { import: 'default', eager: true })
const namespaces = [...new Set(Object.keys(files).map((path) => path.split('/').slice(3).join('/')))]

// Languages differ only in their plural forms.
const plural = /_(zero|one|two|few|many|other)$/

const textsOf = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : textsOf(value, `${prefix}${key}.`),
  )
const keysOf = (texts: Texts) => [...new Set(textsOf(texts).map(([key]) => key.replace(plural, '')))].toSorted()
const valuesIn = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, name = '']) => name)
    .toSorted((a, b) => a.localeCompare(b))
    .join(' ')

describe.each(namespaces)('%s', (name) => {
  const [en, ru, cn] = languages.map((language) => files[`/locales/${language}/${name}`] ?? {}) as [Texts, Texts, Texts]

  test('has the same keys in all three languages', () => {
    expect(keysOf(en).length).toBeGreaterThan(0)
    expect(keysOf(ru)).toEqual(keysOf(en))
    expect(keysOf(cn)).toEqual(keysOf(en))
  })

  test('has no empty text, and the same values in each language', () => {
    const english = Map.groupBy(textsOf(en), ([key]) => key.replace(plural, ''))
    for (const texts of [en, ru, cn])
      for (const [key, text] of textsOf(texts)) {
        expect(text.trim(), key).not.toBe('')
        expect(
          english.get(key.replace(plural, ''))?.map(([, said]) => valuesIn(said)),
          key,
        ).toContain(valuesIn(text))
      }
  })

  test('has all Russian plural forms, and one Chinese form without a suffix', () => {
    // `cn` is no tag of Intl, which would use the plural rules of the browser's language.
    const forms = (texts: Texts, form: string) => textsOf(texts).filter(([key]) => key.endsWith(`_${form}`)).length
    for (const form of ['one', 'few', 'many']) expect(forms(ru, form), form).toBe(forms(en, 'one'))
    const named = textsOf(cn).filter(
      ([key]) => plural.test(key) && !(key.replace(plural, '') in Object.fromEntries(textsOf(cn))),
    )
    expect(named).toEqual([])
  })
})

/** Files of pages that operators see only. */
const ofOperators = /^(operator[\w-]*|service\/.*)\.json$/

test('names environment variables to operators only: on their pages, and in texts named `remedy`', () => {
  const found = languages.flatMap((language) =>
    namespaces
      .filter((name) => !ofOperators.test(name))
      .flatMap((name) =>
        textsOf(files[`/locales/${language}/${name}`] ?? {}).map(([key, text]) => ({ language, name, key, text })),
      )
      .filter(({ key, text }) => !/\bremedy$/.test(key) && /\b[A-Z]{2,}_[A-Z_]{2,}\b|\b[A-Z]{3,}=/.test(text)),
  )
  // Placeholder of a generated command, not a variable.
  expect(
    found
      .filter(({ text }) => !text.includes('<ACCESS_TOKEN>'))
      .map(({ language, name, key }) => `${language}/${name}: ${key}`),
  ).toEqual([])
})
