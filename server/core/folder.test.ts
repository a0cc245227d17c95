import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder } from './folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'relaydeck-folder-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test('makes a folder and those above it, several at once', async () => {
  const path = join(root, 'one', 'two', 'three')
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, 'one'))])
  await makeFolder(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('fails where a file is in the way', async () => {
  writeFileSync(join(root, 'file'), '')
  await expect(makeFolder(join(root, 'file', 'below'))).rejects.toThrow(/ENOTDIR/)
})

test.skipIf(!existsSync('/proc/self'))(
  'fails where the file system refuses new folders, and does not try for ever',
  async () => {
    await expect(makeFolder('/proc/none/below')).rejects.toThrow(/ENOENT/)
  },
)
