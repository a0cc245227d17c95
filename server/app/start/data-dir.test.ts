// The data folder.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDataDir } from './data-dir.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'relaydeck-data-dir-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('takes a folder that appears between the look and its creation', () => {
  // `new/..` is missing at the look, and is there once `new` is made: the error of a folder that another replica makes.
  const path = `${folder()}/new/../data`
  prepareDataDir(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

test('refuses a path that is a file', () => {
  const path = join(folder(), 'file')
  writeFileSync(path, '')
  expect(() => prepareDataDir(path)).toThrow(/^DATA_DIR .* cannot be used: ENOTDIR/)
})
