// Test service in this process: empty database, movable clock, users, and calls through HTTP.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { unlisted } from '#contract/published-answers.ts'
import type { ErrorBody } from '#contract/core/wire.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import { readConfig } from '#server/app/settings.ts'
import type { Config } from '#server/core/settings.ts'
import { type App, createApp } from '#server/app/create-app.ts'
import { type MovableClock, movableClock } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { insertion, transaction } from '#server/db/transaction.ts'
import { insertAccount } from '#server/domain/projects/sign-up.ts'
import { hashPassword } from '#server/domain/account/passwords.ts'
import { addMember } from '#server/domain/projects/projects.ts'
import { insertOperator, updateBonuses } from '#server/domain/installation/store.ts'
import { startSession } from '#server/domain/account/tokens.ts'
import { migratedDatabase, type PoolOptions } from './databases.ts'
import { type RequestOptions, requestOf } from './request.ts'

/** A user with an account, a session and a personal project. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly password: string
  readonly projectId: number
  readonly accessToken: string
  readonly refreshToken: string
}

/** Response of a call. */
export interface Answer<T> {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Body of a success. */
  readonly body: T
  /** Body of a refusal. */
  readonly error: ErrorBody['error'] | undefined
}

interface CallOptions extends RequestOptions {
  /** Replica to call, where there are several. */
  readonly through?: App
}

export interface World {
  readonly app: App
  readonly clock: MovableClock
  readonly services: Services
  readonly dataDir: string
  /** Log lines of the service, one JSON text each. */
  readonly logged: readonly string[]
  /** Creates a user. */
  user(name?: string): Promise<Person>
  /** Starts another session of a user. */
  signIn(person: Person, device?: { readonly fingerprint?: string; readonly userAgent?: string }): Promise<Person>
  /** Adds a user to another user's project. */
  join(person: Person, projectId: number, accessType: AccessType): Promise<void>
  /**
   * Starts another service on the same data; on SQLite it shares the one connection.
   * @param change settings that differ
   * @param options as in `createApp`
   */
  replica(change?: Partial<Config>, options?: { readonly acceptsSecret?: boolean }): Promise<App>
  /** Calls an operation. The test fails, with the log, on a response of 500 or of another than the published shape. */
  api<O extends Operation>(op: O, input: Input<O>, options?: CallOptions): Promise<Answer<Output<O>>>
  close(): Promise<void>
}

const somePassword = 'a password of tests'
/** Hash of `somePassword`: argon2id takes about 20 ms, and tests create thousands of users. */
let hash: Promise<string> | undefined

/** Registration bonus of tests, minor units: a year of Pro. The product grants none. */
export const testBonus = { rub: 1_500_000, usd: 18_000 } as const

/** Grants `testBonus` to the projects that a test creates. */
export const setRegistrationBonus = (db: App['db']): Promise<void> => updateBonuses(db, testBonus)

/** Makes a user an operator of the installation. */
export async function makeOperator(
  { app, clock }: Pick<World, 'app' | 'clock'>,
  { id }: Pick<Person, 'id'>,
): Promise<void> {
  await insertOperator(app.db, { user_id: id, date_create: clock.now().toISOString() })
}

/** Creates a user that is an operator of the installation. */
export async function newOperator(world: Pick<World, 'app' | 'clock' | 'user'>): Promise<Person> {
  const person = await world.user('Operator')
  await makeOperator(world, person)
  return person
}

/** Hosts of test servers that count as the platforms' own. */
export const testHosts = { PLATFORM_HOSTS: '127.0.0.1,example.com' } as const

/**
 * Starts a service in this process: on SQLite in memory, or in a separate schema where DATABASE_URL is set.
 * @param env variables beside the defaults of tests: plans apply, open sign-up, no limits, no log on the terminal, `testHosts`
 * @param pool pool of PostgreSQL, for tests of its behaviour
 * @example const world = await testApp(); const ann = await world.user(); await world.api(auth.me, {}, { as: ann })
 */
export async function testApp(env: Readonly<Record<string, string>> = {}, pool: PoolOptions = {}): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'relaydeck-test-'))
  const config = readConfig({
    SIGN_UP: 'open',
    RATE_LIMITS: 'off',
    // Tests send notifications at the time of their clock: `sendNotifications`.
    NOTIFICATIONS: 'off',
    BACKUPS: 'off',
    PORT: '0',
    RELAY: 'off',
    ...testHosts,
    BILLING: 'plans',
    ...env,
    DATA_DIR: dataDir,
  })
  const clock = movableClock(new Date('2026-03-01T10:00:00.000Z'))
  const logged: string[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) })
  const { database, connect, drop } = await migratedDatabase(pool)
  const app = await createApp({ config, clock, db: database, log })
  const replicas: App[] = []
  const { services, db } = app
  await setRegistrationBonus(db)

  const signIn: World['signIn'] = async (person, { fingerprint = '', userAgent = 'test' } = {}) => {
    const device = { app: 'site', fingerprint, userAgent, address: '127.0.0.1' } as const
    return { ...person, ...(await transaction(db, (trx) => startSession(services, trx, person.id, device))) }
  }
  return {
    app,
    clock,
    services,
    dataDir,
    logged,
    signIn,
    async user(name = 'Ann') {
      const applicant = { email: `${name.toLowerCase()}-${randomUUID()}@example.com`, password: somePassword }
      hash ??= hashPassword(somePassword)
      const passwordHash = await hash
      const details = { ...applicant, firstName: name, language: 'en', currency: 'usd' } as const
      const { id } = await insertion(db, (trx) => insertAccount(services, trx, details, passwordHash))
      const { last_project_id: projectId } = await db
        .selectFrom('users')
        .select('last_project_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return signIn({ ...applicant, id, projectId: projectId ?? 0, accessToken: '', refreshToken: '' })
    },
    join: (person, projectId, accessType) => addMember(db, clock, { projectId, userId: person.id, accessType }),
    async replica(change = {}, options = {}) {
      const other = await createApp({ ...options, config: { ...config, ...change }, clock, db: await connect(), log })
      replicas.push(other)
      return other
    },
    async api(op, input, options = {}) {
      const answer = await (options.through ?? app).inject(requestOf(op, input, options))
      if (answer.statusCode >= 500)
        throw new Error(`${op.id} answered ${answer.statusCode}: ${logged.slice(-3).join('')}`)
      const body = answer.body === '' ? undefined : JSON.parse(answer.body)
      const odd = answer.statusCode < 300 && body !== undefined ? unlisted(op, body) : []
      if (odd.length > 0) throw new Error(`${op.id} does not answer as published: ${odd.join(', ')}`)
      return { status: answer.statusCode, headers: answer.headers, body, error: body?.error }
    },
    async close() {
      for (const other of replicas) await other.close()
      // Running work would lock tables that are about to be dropped.
      await app.close()
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
