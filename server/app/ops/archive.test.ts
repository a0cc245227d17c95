// Content of an archive.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyName, pack } from './archive.ts'

test('an archive has recordings, without the films of the relay', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'relaydeck-archive-'))
  const folder = join(dir, 'staging')
  for (const name of ['7', '.films']) {
    mkdirSync(join(folder, 'recordings', name), { recursive: true })
    writeFileSync(join(folder, 'recordings', name, 'one'), 'x')
  }
  writeFileSync(join(folder, copyName.sqlite), 'database')
  const file = join(dir, 'one.tar.gz')
  const about = { version: '1.0.0', date: new Date().toISOString(), schema: [], counts: {} }
  await pack(folder, { ...about, database: 'sqlite' }, file)
  const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' })
  expect(names).toContain('./recordings/7/one')
  expect(names).not.toContain('.films')
  rmSync(dir, { recursive: true })
})
