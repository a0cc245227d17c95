// Opens a data folder of the release before Kysely's Migrator, and finds everything in it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CompiledQuery, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { operations } from '#contract/index.ts'
import { readConfig } from '#server/app/config.ts'
import { type App, createApp } from '#server/app/create-app.ts'
import { movableClock } from '#server/core/clock.ts'
import { isPassword } from '#server/domain/account/passwords.ts'
import { emptyDatabase } from '#server/testing/databases.ts'
import { requestOf, testHosts } from '#server/testing/test-app.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrateInProcesses } from '#server/testing/migrate-in-processes.ts'
import { type Database, openDatabase } from '#server/db/open.ts'

interface Made {
  /** Time of the last write. */
  readonly now: string
  /** Content of the file `secret` in the data folder. */
  readonly secret: string
  readonly people: Readonly<Record<'owner' | 'editor' | 'second', Tokens>>
  /** Responses of that release. */
  readonly answers: readonly {
    readonly operation: string
    readonly input: object
    readonly as: 'owner' | 'editor'
    readonly answer: unknown
  }[]
}
interface Tokens {
  readonly email: string
  readonly password: string
  readonly accessToken: string
  readonly refreshToken: string
}

const isPostgres = Boolean(process.env['DATABASE_URL'])
const fixture = (name: string) => readFileSync(new URL(`../../testing/previous-release/${name}`, import.meta.url))
const made = JSON.parse(fixture(isPostgres ? 'postgres.json' : 'sqlite.json').toString()) as Made

let folder: string
let connect: () => Promise<Database>
let drop: () => Promise<void>
const opened: App[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-previous-'))
  writeFileSync(join(folder, 'secret'), made.secret)
  if (!isPostgres) {
    const file = join(folder, 'relaydeck.db')
    writeFileSync(file, gunzipSync(fixture('relaydeck.db.gz')))
    connect = () => openDatabase({ file })
    drop = async () => undefined
    return
  }
  const empty = await emptyDatabase()
  ;({ connect, drop } = empty)
  await empty.database.db.executeQuery(CompiledQuery.raw(gunzipSync(fixture('postgres.sql.gz')).toString()))
  await empty.database.close()
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
  await drop()
  rmSync(folder, { recursive: true })
})

/** Starts the service on the data folder, at the time at which it was left. */
async function start(): Promise<App> {
  const config = readConfig({ ...testHosts, PORT: '0', RELAY: 'off', LOG_LEVEL: 'fatal', DATA_DIR: folder })
  const app = await createApp({ config, clock: movableClock(new Date(made.now)), db: await connect() })
  opened.push(app)
  return app
}

test('answers as the previous release did, with its tokens', async () => {
  const app = await start()
  for (const { operation, input, as, answer } of made.answers) {
    const op = operations.find(({ id }) => id === operation)
    if (!op) throw new Error(`No operation ${operation}`)
    const { statusCode, body } = await app.inject(requestOf(op, input, { as: made.people[as] }))
    // A release may add fields to an answer. Plans no longer name own video files, which no service plays.
    const kept = JSON.parse(JSON.stringify(answer), (name, value) => (name === 'custom_video' ? 0 : value))
    expect([operation, statusCode, JSON.parse(body)]).toMatchObject([operation, 200, kept])
  }
})

test('takes refresh tokens and passwords of the previous release', async () => {
  const app = await start()
  const refresh = made.people.second.refreshToken
  const pair = await app.inject(requestOf(auth.refreshAccess, { app: 'site', refresh }))
  expect(pair.statusCode).toBe(200)
  const { password_hash } = await app.db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', made.people.owner.email)
    .executeTakeFirstOrThrow()
  expect(await isPassword(made.people.owner.password, password_hash)).toBe(true)
})

test('replicas that start at the same time migrate once', async () => {
  const ran = isPostgres ? await migrateThrice() : await migrateInProcesses(join(folder, 'relaydeck.db'))
  const names = ran.flat()
  expect(names[0]).toBe('0022-kysely-migrator')
  expect(names).toEqual([...new Set(names)].toSorted())
})

async function migrateThrice(): Promise<string[][]> {
  const databases = await Promise.all([connect(), connect(), connect()])
  const ran = await Promise.all(databases.map((database) => migrate(database)))
  for (const database of databases) await database.close()
  return ran
}

test('is refused by the previous release from then on', async () => {
  const { db } = await start()
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  expect(rows.at(-1)).toEqual({ name: '0022-kysely-migrator' })
})
