// Lock on the data folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockDataDir } from './data-lock.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'relaydeck-data-lock-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('lets one service use a data folder, and the next one after it', () => {
  const config = { dataDir: folder(), databaseUrl: '' }
  const unlock = lockDataDir(config)
  expect(() => lockDataDir(config)).toThrow(`DATA_DIR "${config.dataDir}" is in use by another Relaydeck service`)
  unlock()
  lockDataDir(config)()
})

test('lets services on one PostgreSQL share a data folder', () => {
  const config = { dataDir: folder(), databaseUrl: 'postgres://localhost/relaydeck' }
  lockDataDir(config)
  expect(() => lockDataDir(config)).not.toThrow()
})
