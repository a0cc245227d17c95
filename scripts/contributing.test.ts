// Follows each row of the table "Where to change what" of CONTRIBUTING.md: files exist, and have the symbols that the row names.
import { globSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const document = readFileSync('CONTRIBUTING.md', 'utf8')
const section = document.slice(document.indexOf('## Where to change what')).split('\n')
const rows = section
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, want = '', change = '', also = '', shown = '']) => ({ want, change, also, shown }))

/** Returns what a pattern of the table names: `<area>` is any name, `*` and `{en,ru,cn}` as in a shell. */
const matchesOf = (pattern: string): string[] => globSync(pattern.replaceAll(/<\w+>/g, '*').replace(/\/$/, ''))

const namesOf = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
const isPath = (name: string): boolean => /^[\w.-]+\/|\.(md|ts|tsx|json)$/.test(name) && !name.includes(' ')
const pathsOf = (cell: string): string[] => namesOf(cell).filter(isPath)

/** `symbol`, `symbol` of `file` */
const symbolsOf = (cell: string): [symbols: string[], file: string][] =>
  [...cell.matchAll(/((?:`[\w$]+`(?:, | and )?)+) of `([^`]+)`/g)].map(([, symbols = '', file = '']) => [
    namesOf(symbols),
    file,
  ])

/** Returns the paths that do not exist, and the symbols that their files do not declare. */
function missingOf(cell: string): string[] {
  const paths = pathsOf(cell).filter((path) => matchesOf(path).length === 0)
  const symbols = symbolsOf(cell).flatMap(([names, file]) => {
    const text = matchesOf(file)
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
    return names.filter((name) => !declares(text, name)).map((name) => `${name} of ${file}`)
  })
  return [...paths, ...symbols]
}

/** Returns whether a text declares a name: in a module, in an object or a type, or as a key of JSON. */
const declares = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:const|function|class|interface|type) ${name}\\b|^\\s*(?:readonly )?"?${name}"?\\??:`, 'm').test(
    text,
  )

test('reads the table', () => {
  expect(rows.length).toBeGreaterThan(20)
  expect(missingOf('`publish` of `server/domain/realtime/realtime.ts`, `docs/realtime.md`')).toEqual([])
  expect(missingOf('`nothing` of `server/domain/realtime/realtime.ts`, `docs/nothing.md`')).toEqual([
    'docs/nothing.md',
    'nothing of server/domain/realtime/realtime.ts',
  ])
})

describe.each(rows)('to $want', ({ change, also, shown }) => {
  test('files and symbols exist', () => {
    expect(missingOf([change, also, shown].join(', '))).toEqual([])
  })

  test('a file to change comes with a symbol in it', () => {
    const named = symbolsOf(change).map(([, file]) => file)
    const files = pathsOf(change).filter((path) => /\.tsx?$/.test(path) && !/[*<]/.test(path))
    expect(files.filter((file) => !named.includes(file))).toEqual([])
  })
})

test('metrics stand in the files that the table names', () => {
  const registers = /new (?:Counter|Gauge|Histogram)\b/
  const files = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const having = files.filter((file) => registers.test(readFileSync(file, 'utf8')))
  const row = rows.find(({ want }) => want === 'add a metric')
  expect(pathsOf(row?.change ?? '').toSorted()).toEqual(having.toSorted())
})
