// Backup, restore and drill on a database in use: SQLite as a file, or a database of its own where DATABASE_URL is set.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jobKindsOf } from '#server/app/jobs/kinds.ts'
import { backupKindsOf } from '#server/app/jobs/backups.ts'
import { createApp } from '#server/app/create-app.ts'
import { readConfig } from '#server/app/settings.ts'
import { lockDataDir } from '#server/app/start/data-lock.ts'
import type { Config } from '#server/core/settings.ts'
import { readContents } from '#server/db/dump.ts'
import { insertion, transaction } from '#server/db/transaction.ts'
import { insertAccount } from '#server/domain/projects/sign-up.ts'
import { sendMail } from '#server/domain/account/mail.ts'
import { insertRecording } from '#server/domain/broadcasts/recordings-store.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { getLedgerCheck } from '#server/domain/operator/ledger-check-store.ts'
import { runJobs } from '#server/testing/jobs.ts'
import { setRegistrationBonus } from '#server/testing/test-app.ts'
import { backupFolder, keptOf, listBackups, makeBackup } from './backup.ts'
import { accountFile, acmeFolder, readOrder, writeOrder } from './certificate-files.ts'
import { newestBackup } from './commands.ts'
import { drillBackup } from './drill.ts'
import { restoreBackup } from './restore.ts'

const server = process.env['DATABASE_URL']
const silent = pino({ level: 'silent' })

/** Why the tests cannot run: the tools of this machine are older than the server; null: they can. */
const reason = server === undefined ? null : await oldTools(server)

async function oldTools(at: string): Promise<string | null> {
  const client = new Client({ connectionString: at })
  await client.connect()
  const { rows } = await client.query('show server_version_num').finally(() => client.end())
  const major = Math.floor(Number(rows[0].server_version_num) / 10_000)
  const tool = Number(/(\d+)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1])
  return tool < major ? `pg_dump ${tool} is older than the server (PostgreSQL ${major})` : null
}

/** Creates a configuration with a folder, and on PostgreSQL a database, of its own. */
async function someConfig(env: Readonly<Record<string, string>> = {}): Promise<Config> {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const url = server === undefined ? '' : await newDatabase(server)
  const base = { RELAY: 'off', PORT: '0', NOTIFICATIONS: 'off', BACKUPS: 'off', BILLING: 'plans', SIGN_UP: 'open' }
  return readConfig({ ...base, DATA_DIR: folder, DATABASE_URL: url, ...env })
}

async function newDatabase(at: string): Promise<string> {
  const name = `backup_${randomBytes(4).toString('hex')}`
  const run = async (statement: string) => {
    const client = new Client({ connectionString: at })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  onTestFinished(() => run(`drop database if exists ${name} with (force)`))
  const url = new URL(at)
  url.pathname = `/${name}`
  return url.href
}

/** Starts a service with some accounts, each with a booked bonus. */
async function someService(config: Config, accounts = 3) {
  const app = await createApp({ config, log: silent })
  await setRegistrationBonus(app.db)
  let number = 0
  const add = () => {
    const email = `user-${number++}@example.com`
    const details = { email, password: 'secret of tests', firstName: 'Ann', language: 'en', currency: 'usd' } as const
    return insertion(app.db, (trx) => insertAccount(app.services, trx, details, 'hash'))
  }
  for (let left = accounts; left > 0; left--) await add()
  return { app, add, backup: (options = {}) => makeBackup(config, app.db, options) }
}

test.skipIf(reason !== null)(
  'scenario 6: a backup under 250 writes a second is restored elsewhere with equal rows and a right ledger',
  async () => {
    const config = await someConfig()
    const { app, add, backup } = await someService(config, 50)
    let isOver = false
    let written = 0
    const writing = (async () => {
      const begun = performance.now()
      while (!isOver) {
        await add()
        written++
        const aheadMs = written * 4 - (performance.now() - begun)
        if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
      }
    })()
    const before = (await readContents(app.db)).counts
    await vi.waitUntil(() => written > 50, { timeout: 20_000, interval: 5 })
    const { file, date } = await backup()
    const during = written
    isOver = true
    await writing
    expect(during).toBeGreaterThan(50)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await getInstallation(app.db)).date_backup).toBe(date)
    await app.close()

    const elsewhere = await someConfig()
    const done = await restoreBackup(elsewhere, file)
    const copy = await createApp({ config: elsewhere, log: silent })
    onTestFinished(() => copy.close())
    const { counts } = await readContents(copy.db)
    expect(counts['users']).toBeGreaterThan(before['users'] ?? 0)
    expect(counts).toMatchObject({ users: done.counts['users'], ledger_entries: done.counts['ledger_entries'] })
    const ledger = await getLedgerCheck(copy.db)
    expect(ledger).toMatchObject({
      unbalanced: [],
      differing: [],
      transactions: counts['users'],
      wallets: counts['projects'],
    })
  },
)

test.skipIf(reason !== null)(
  'scenario 6: a drill sends nothing, leaves nothing, and runs none of the due jobs',
  async () => {
    const config = await someConfig({
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'relaydeck@example.com',
      PUBLIC_URL: 'https://live.example.com',
    })
    const { app, backup } = await someService(config)
    onTestFinished(() => app.close())
    const due = jobKindsOf(app.services).map(({ kind }) => ({ kind, key: '1', due: 0 }))
    await app.db.insertInto('jobs').values(due).execute()
    const { file } = await backup()
    const left = readdirSync(backupFolder(config))

    const connect = vi.spyOn(Socket.prototype, 'connect')
    // The database is no other service.
    const outside = () => connect.mock.calls.filter((call) => !JSON.stringify(call).includes(portOf(server)))
    const drilled = await drillBackup(config, file)
    expect(outside()).toEqual([])
    expect(drilled.counts['jobs']).toBe(due.length)
    expect(readdirSync(backupFolder(config))).toEqual(left)
    // A message of the same configuration does connect.
    await sendMail({ ...app.services, log: silent }, 'bob@example.com', () => ({ subject: 'Hello', text: 'Hello' }))
    expect(outside()).toHaveLength(1)
  },
)

const portOf = (url: string | undefined) => (url === undefined ? 'none' : new URL(url).port)

test.skipIf(reason !== null)(
  'a restore keeps the present data beside it, and marks recordings without a file',
  async () => {
    const config = await someConfig()
    const { app, add, backup } = await someService(config)
    const recording = {
      broadcast_id: null,
      node: 'here',
      state: 'ready',
      reason: null,
      bytes: 3,
      duration_ms: 1,
    } as const
    const { id: project_id } = await app.db.selectFrom('projects').select('id').limit(1).executeTakeFirstOrThrow()
    for (const name of ['kept', 'lost'])
      await transaction(app.db, (trx) =>
        insertRecording(trx, {
          ...recording,
          project_id,
          name,
          file: `${name}.mp4`,
          date_create: new Date().toISOString(),
        }),
      )
    const folder = join(config.dataDir, 'recordings')
    mkdirSync(folder)
    writeFileSync(join(folder, 'kept.mp4'), 'mp4')
    const secret = readFileSync(join(config.dataDir, 'secret'), 'utf8')
    const order = { names: ['live.example.com'], email: '', directory: 'https://127.0.0.1:1/' }
    await writeOrder(config, order)
    writeFileSync(accountFile(config), 'key of the account', { mode: 0o600 })
    const { file } = await backup()
    rmSync(acmeFolder(config), { recursive: true })
    await add()
    if (server !== undefined) {
      await expect(restoreBackup(config, file)).rejects.toThrow(
        /A service is connected to the database. Stop all replicas/,
      )
      expect((await readContents(app.db)).counts['users']).toBe(4)
    } else {
      const unlock = lockDataDir(config)
      await expect(restoreBackup(config, file)).rejects.toThrow(/in use by another Relaydeck service/)
      unlock()
    }
    await app.close()

    const done = await restoreBackup(config, file)
    expect(done.missing).toBe(server === undefined ? 1 : 0)
    const [kept = ''] = done.kept
    expect(readFileSync(join(kept, 'secret'), 'utf8')).toBe(secret)
    expect(await readOrder(config)).toEqual(order)
    expect(statSync(accountFile(config)).mode & 0o777).toBe(0o600)
    const restored = await createApp({ config, log: silent })
    onTestFinished(() => restored.close())
    expect((await readContents(restored.db)).counts['users']).toBe(3)
    const rows = await restored.db.selectFrom('recordings').select(['name', 'reason']).orderBy('id').execute()
    if (server === undefined) {
      expect(rows).toEqual([
        { name: 'kept', reason: null },
        { name: 'lost', reason: 'missing' },
      ])
      expect(existsSync(join(kept, 'relaydeck.db'))).toBe(true)
    }
    expect(readFileSync(join(folder, 'kept.mp4'), 'utf8')).toBe('mp4')
  },
)

test.skipIf(reason !== null)(
  'refuses truncated, changed and foreign files in a sentence, and leaves the data as it is',
  async () => {
    const config = await someConfig()
    const { app, backup } = await someService(config)
    const { file } = await backup()
    await app.close()
    const before = readdirSync(config.dataDir)
    const folder = mkdtempSync(join(tmpdir(), 'relaydeck-archive-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))

    /** Repacks the backup after a change of its files. */
    const changed = (name: string, change: (unpacked: string) => void): string => {
      const unpacked = join(folder, name)
      mkdirSync(unpacked)
      execFileSync('tar', ['-xzf', file, '-C', unpacked])
      change(unpacked)
      execFileSync('tar', ['-czf', `${unpacked}.tar.gz`, '-C', unpacked, '.'])
      return `${unpacked}.tar.gz`
    }
    const edited = (change: (manifest: Record<string, unknown>) => object) => (unpacked: string) => {
      const path = join(unpacked, 'manifest.json')
      writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))))
    }
    const database = server === undefined ? 'relaydeck.db' : 'database.dump'
    const truncated = join(folder, 'truncated.tar.gz')
    writeFileSync(truncated, readFileSync(file).subarray(0, 20_000))
    const foreign = join(folder, 'foreign.tar.gz')
    execFileSync('tar', ['-czf', foreign, '-C', folder, 'truncated.tar.gz'])
    const cases: readonly (readonly [string, RegExp])[] = [
      [join(folder, 'none.tar.gz'), /The backup cannot be read: ENOENT/],
      [truncated, /truncated.tar.gz is not a complete backup/],
      [foreign, /foreign.tar.gz is not a backup of Relaydeck/],
      [
        changed(
          'rows',
          edited(({ counts, ...manifest }) => ({ ...manifest, counts: { ...(counts as object), users: 9 } })),
        ),
        /The table users has 3 rows instead of 9/,
      ],
      [changed('bytes', (unpacked) => writeFileSync(join(unpacked, database), 'x')), /has another checksum/],
      [
        changed('secret', (unpacked) => writeFileSync(join(unpacked, 'secret'), 'another')),
        /SECRET is not the one of this backup/,
      ],
    ]
    for (const [path, words] of cases) {
      await expect(drillBackup(config, path), path).rejects.toThrow(words)
      await expect(restoreBackup(config, path), path).rejects.toThrow(words)
    }
    expect(readdirSync(config.dataDir).filter((name) => name !== 'service.lock')).toEqual(before)
  },
)

test.skipIf(reason !== null)('a full disk is a sentence, and leaves no part of a backup', async ({ skip }) => {
  const config = await someConfig()
  const { app } = await someService(config, 20)
  onTestFinished(() => app.close())
  const small = mkdtempSync(join(tmpdir(), 'relaydeck-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', small], { stdio: 'ignore' })
  } catch {
    skip('needs the right to mount')
  }
  onTestFinished(() => void execFileSync('umount', [small]))
  const failing = makeBackup({ ...config, backupDir: small }, app.db)
  await expect(failing).rejects.toThrow(
    `The disk of ${small} is full. Free space on it, or set BACKUP_DIR to another disk`,
  )
  expect(readdirSync(small)).toEqual([])
  expect((await getInstallation(app.db)).date_backup).toBeNull()
})

test.skipIf(reason !== null)(
  'runs BACKUP_COMMAND with the file, and keeps the backup of the day when it fails',
  async () => {
    const config = await someConfig()
    const { app } = await someService(config, 1)
    onTestFinished(() => app.close())
    const elsewhere = join(config.dataDir, 'else where')
    mkdirSync(elsewhere)
    const { file } = await makeBackup({ ...config, backupCommand: `cp -t '${elsewhere}'` }, app.db)
    expect(readdirSync(elsewhere)).toEqual([file.split('/').at(-1)])
    const next = { now: new Date(Date.now() + 1_000) }
    const failing = makeBackup({ ...config, backupCommand: 'echo no such host >&2; false' }, app.db, next)
    await expect(failing).rejects.toThrow(/BACKUP_COMMAND did not take relaydeck-.*no such host/)
    expect(await listBackups(config)).toHaveLength(1)
  },
)

test('keeps the newest backup of seven days and of four weeks', async () => {
  const config = await someConfig()
  mkdirSync(backupFolder(config))
  const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day, 3)).toISOString().replaceAll(/[:-]|\.\d+/g, '')
  const names = Array.from({ length: 60 }, (_, day) => `relaydeck-${dayOf(day + 1)}.tar.gz`)
  for (const name of [...names, 'relaydeck-other.tar.gz']) createWriteStream(join(backupFolder(config), name)).end()
  await vi.waitUntil(async () => (await listBackups(config)).length === 60)
  const listed = await listBackups(config)
  expect(listed[0]).toBe(`relaydeck-${dayOf(60)}.tar.gz`)
  const kept = [...keptOf(listed)].map((name) => name.slice(10, 18))
  // 1 March 2026 is a Sunday; a week of the rule ends on a Wednesday.
  expect(kept).toEqual([
    '20260301',
    '20260228',
    '20260227',
    '20260226',
    '20260225',
    '20260224',
    '20260223',
    '20260218',
    '20260211',
  ])
})

test.skipIf(reason !== null)(
  'the service makes a daily backup and a weekly drill, once there is an account',
  async () => {
    const config = await someConfig()
    const app = await createApp({ config, log: silent })
    onTestFinished(() => app.close())
    const kinds = backupKindsOf({ ...config, backups: 'on' })
    await runJobs(app.services, kinds)
    expect(await newestBackup(config)).toBeNull()
    const details = {
      email: 'a@example.com',
      password: 'x',
      firstName: 'Ann',
      language: 'en',
      currency: 'usd',
    } as const
    await insertion(app.db, (trx) => insertAccount(app.services, trx, details, 'hash'))
    await app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'installation.daily-backup').execute()
    await runJobs(app.services, kinds)
    expect(await listBackups(config)).toHaveLength(1)
    await app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'installation.drill').execute()
    await runJobs(app.services, kinds)
    const { date_backup, date_drill } = await getInstallation(app.db)
    expect([date_backup, date_drill].every((date) => Date.now() - Date.parse(date ?? '') < 60_000)).toBe(true)
    expect(backupKindsOf({ ...config, backups: 'auto', databaseUrl: '' })).toHaveLength(2)
    expect(backupKindsOf({ ...config, backups: 'auto', databaseUrl: 'postgres://host/name' })).toEqual([])
    expect(backupKindsOf({ ...config, backups: 'off' })).toEqual([])
  },
)

test.skipIf(reason === null)('refuses tools that are older than the server', async () => {
  const config = await someConfig()
  const { app, backup } = await someService(config)
  onTestFinished(() => app.close())
  await expect(backup()).rejects.toThrow(reason ?? '')
})

test.skipIf(reason !== null)(
  'a backup before an upgrade outlives the daily rotation, and one made with a clock that was set back stays',
  async () => {
    const config = await someConfig()
    const { app, backup } = await someService(config, 1)
    const before = await backup({ isBeforeUpgrade: true, now: new Date('2026-05-01') })
    for (let day = 1; day <= 9; day++) await backup({ now: new Date(`2026-05-${10 + day}`) })
    const early = await backup({ now: new Date('2026-05-02') })
    expect([existsSync(before.file), existsSync(early.file), early.bytes > 0]).toEqual([true, true, true])
    expect(await listBackups(config)).not.toContain(before.file)
    await app.close('end')
  },
)

test.skipIf(reason !== null)(
  'restores a backup on the schema of a newer release that only adds, and refuses one above its floor',
  async () => {
    const config = await someConfig()
    const { app, backup } = await someService(config, 1)
    const newer = '9999-later'
    await sql`insert into kysely_migration values (${newer}, ${new Date().toISOString()})`.execute(app.db)
    const added = await backup()
    expect((await drillBackup(config, added.file)).counts['users']).toBe(1)
    await sql`update installation set schema_floor = ${newer}`.execute(app.db)
    const raised = await backup({ isBeforeUpgrade: true })
    await app.close()
    await expect(restoreBackup(config, raised.file)).rejects.toThrow(/belongs to a newer release \(it has 9999-later\)/)
    await restoreBackup(config, added.file)
  },
)
