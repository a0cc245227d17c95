import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findProse } from './house/prose.ts'

const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
const checked = /\.(?:tsx?|mjs|css|md)$|^src\/locales\/en\/.*\.json$/
const files = listed.stdout.split('\0').filter((file) => checked.test(file) && existsSync(file))

const reportsOf = (file: string): string[] =>
  findProse(file, readFileSync(file, 'utf8')).map(({ line, found }) => `${file}:${line} ${found}`)

test('comments, documents, test titles and English texts name their subjects', () => {
  expect(files.flatMap(reportsOf)).toEqual([])
})

// prose-ok: the samples below break the rules on purpose
test.each([
  ['a.ts', '// Somebody connects', ['Somebody']], // prose-ok: sample
  ['a.ts', '/** The node is told about it. */', ['told']], // prose-ok: sample
  ['a.ts', '// How often is too often', ['begins with “How”']], // prose-ok: sample
  ['a.ts', "test('nobody is lost', () => {})", ['nobody']], // prose-ok: sample
  ['a.ts', "const url = 'http://who.example'", []],
  ['a.ts', '// `who` is a column', []],
  ['a.ts', '// asked for by law, prose-ok: quotation', []],
  ['a.md', 'It is tried at once.', ['at once']], // prose-ok: sample
  ['handbook/en/a/b.md', '**Viewers may hear nothing.** He heard it.', ['heard']], // prose-ok: sample
  ['src/locales/en/x.json', '{ "who": "Who can edit?" }', []],
  ['src/locales/en/x.json', '{ "who": "Whoever asks" }', ['Whoever']],
])('findings in %s: %s', (file, source, expected) => {
  expect(findProse(file, source).map(({ found }) => found)).toEqual(expected)
})
