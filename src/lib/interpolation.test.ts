// Every use of a text passes all its values: a missing one is shown as `{{name}}`.
import { expect, test } from 'vitest'

type Texts = { readonly [key: string]: string | Texts }
const files = import.meta.glob<Texts>('/locales/en/*.json', { import: 'default', eager: true })
const sources = import.meta.glob<string>('/src/**/*.{ts,tsx}', { import: 'default', eager: true, query: '?raw' })

const plural = /_(zero|one|two|few|many|other)$/
const flat = (texts: Texts, prefix: string): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[(prefix + key).replace(plural, ''), value]] : flat(value, `${prefix}${key}.`),
  )
const texts = Object.entries(files).flatMap(([path, file]) =>
  flat(file, `${/(\w[\w-]*)\.json$/.exec(path)?.[1] ?? ''}:`),
)
const valuesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)

/** The texts that a call may use: its key below each namespace and prefix that its file uses. */
function meant(source: string, key: string): string[] {
  const spaces = [...source.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(([, args = '']) => {
    const names = [...args.replace(/\{.*/, '').matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name)
    const prefix = /keyPrefix: '([\w.]+)'/.exec(args)?.[1]
    return (names.length > 0 ? names : ['common']).map((name) => `${name}:${prefix ? `${prefix}.` : ''}`)
  })
  const whole = key.includes(':') ? [key] : spaces.map((space) => space + key)
  const patterns = whole.map((one) => new RegExp(`^${one.replaceAll('.', String.raw`\.`).replaceAll('*', '.+')}$`))
  return texts.filter(([name]) => patterns.some((pattern) => pattern.test(name))).map(([, text]) => text)
}

/** The arguments of a call, from after its opening bracket. */
function argumentsAt(source: string, from: number): string {
  let depth = 1
  let end = from
  for (; depth > 0 && end < source.length; end++)
    depth += '([{'.includes(source[end] ?? ' ') ? 1 : 0 - Number(')]}'.includes(source[end] ?? ' '))
  return source.slice(from, end - 1)
}

/** Values that a use of a text does not pass. A use that passes a variable cannot be checked. */
function missingIn(source: string): string[] {
  return [...source.matchAll(/\b(?:t|i18n\.t|texts\.t)\(/g)].flatMap(({ index, 0: opening }) => {
    const args = argumentsAt(source, index + opening.length)
    const [, quote = '', spelled = ''] = /^\s*(['`])((?:\$\{[^}]*\}|[^'`])*)\1/.exec(args) ?? []
    if (quote === '') return []
    const rest = args.slice(args.indexOf(spelled) + spelled.length + 1)
    if (/^\s*,\s*[a-z]/.test(rest) || rest.includes('...')) return []
    const wanted = meant(source, spelled.replaceAll(/\$\{[^}]*\}/g, '*')).map(valuesIn)
    // One key may name several texts: the values that all of them need must be passed.
    const always = (wanted[0] ?? []).filter((name) => wanted.every((names) => names.includes(name)))
    return always.filter((name) => !new RegExp(`\\b${name}\\b`).test(rest)).map((name) => `${spelled}: ${name}`)
  })
}

test('finds a text without its value', () => {
  const page = (call: string) => `const { t } = useTranslation('ingest')\n${call}`
  expect(missingIn(page("t('server.load', { load: 1 })"))).toEqual([])
  expect(missingIn(page("t('server.load')"))).toEqual(['server.load: load'])
  expect(missingIn(page("t('server.load', { lod: 1 })"))).toEqual(['server.load: load'])
})

test('passes all values to every text', () => {
  const missing = Object.entries(sources)
    .filter(([path]) => !path.includes('.test.'))
    .flatMap(([path, source]) => missingIn(source).map((what) => `${path} ${what}`))
  expect(missing).toEqual([])
})

test('has no stray braces in any text', () => {
  const odd = texts.filter(([, text]) => /[{}]/.test(text.replaceAll(/\{\{\w+\}\}/g, '')))
  expect(odd).toEqual([])
})
