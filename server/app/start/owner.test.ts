// Commands that root runs on an installation of another user: no file of root is left.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '#server/core/root.ts'

const program = join(root, 'dist', 'service', 'service.js')
const user = 65_534
/** Root in a checkout that other users can read. */
const canChange =
  process.getuid?.() === 0 && spawnSync('cat', [program], { uid: user, gid: user, stdio: 'ignore' }).status === 0

/** Makes a folder of an installation of another user. Not below the folder of the test run, which only root can enter. */
function installation() {
  const home = mkdtempSync('/tmp/relaydeck-owner-')
  onTestFinished(() => rmSync(home, { recursive: true }))
  chmodSync(home, 0o755)
  const own = join(home, 'own')
  mkdirSync(own)
  chownSync(own, user, user)
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: join(own, 'data'),
    BACKUP_DIR: join(own, 'backups'),
    BACKUPS: 'off',
  }
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  const ofRoot = () =>
    readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) => lstatSync(join(own, name)).uid !== user)
  const backup = () =>
    join(own, 'backups', String(readdirSync(join(own, 'backups')).find((name) => name.endsWith('gz'))))
  return { run, ofRoot, backup, own }
}

test.skipIf(!canChange)('every command of root leaves files of the owner only, also before the first start', () => {
  const { run, ofRoot, backup, own } = installation()
  // The first one makes the data folder.
  for (const command of [
    ['invite'],
    ['ledger', 'check'],
    ['catalogue', 'export', join(own, 'catalogue.json')],
    ['catalogue', 'import', join(own, 'catalogue.json')],
    ['backup-made'],
    ['accept-secret'],
    ['backup'],
    ['drill'],
  ]) {
    expect(run(...command), command.join(' ')).toMatchObject({ status: 0 })
    expect(ofRoot(), command.join(' ')).toEqual([])
  }
  // Those that fail leave none either.
  for (const command of [['recover', 'ann@example.com'], ['operator', 'ann@example.com'], ['restore'], ['nonsense']])
    expect(run(...command).status, command.join(' ')).not.toBe(0)
  expect(run('restore', '--check', backup()).status).toBe(0)
  expect(run('restore', backup()).status).toBe(0)
  expect(ofRoot()).toEqual([])
  expect(lstatSync(join(own, 'data', 'relaydeck.db')).mode & 0o777).toBe(0o600)
})

test.skipIf(!canChange)('names a backup that the owner may not read', () => {
  const { run, backup, own } = installation()
  expect(run('invite').status).toBe(0)
  expect(run('backup').status).toBe(0)
  chownSync(backup(), 0, 0)
  const { status, output } = run('restore', backup())
  expect([status, output]).toEqual([1, expect.stringContaining(`${own}/backups`)])
  expect(output).toContain('Commands run as the owner of DATA_DIR')
})
