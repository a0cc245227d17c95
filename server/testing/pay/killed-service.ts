// Built service that a test kills with SIGKILL while a call to a payment provider has no answer.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { movableClock } from '#server/core/clock.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { insertOperator } from '#server/domain/installation/store.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { emptyDatabaseUrl } from '#server/testing/databases.ts'
import { eventually } from '#server/testing/eventually.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { type ServiceProcess, serviceProcess, signUp } from '#server/testing/process.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import { call } from '#server/testing/request.ts'
import { type KilledName, type KilledProvider, killedProviders, type PayMessage } from './killed-provider.ts'
import { killIn } from './pay-world.ts'

/** Owner of a project, and operator. */
export interface Customer {
  readonly token: string
  readonly projectId: number
  /** Settled amounts less refunds, minor units. */
  paid: number
}

/** A service with one provider. Its data outlive its processes. */
export class KilledService {
  readonly provider: KilledProvider
  readonly customers: Customer[] = []
  readonly #name: KilledName
  readonly #database: Awaited<ReturnType<typeof emptyDatabaseUrl>>
  readonly #service: ServiceProcess
  #child: ChildProcess | undefined
  #url = ''

  private constructor(
    name: KilledName,
    provider: KilledProvider,
    database: Awaited<ReturnType<typeof emptyDatabaseUrl>>,
    port: number,
  ) {
    this.#name = name
    this.provider = provider
    this.#database = database
    const PUBLIC_URL = `http://127.0.0.1:${port}`
    // Many kills take longer than the usual lifetime of a token.
    const ACCESS_TTL = '7200'
    const env = { ...provider.env, DATABASE_URL: database.url, PORT: String(port), PUBLIC_URL, ACCESS_TTL }
    this.#service = serviceProcess(env)
  }

  /** Starts a service with customers, all of them operators. @param port a free port, which the service keeps */
  static async start(name: KilledName, customers: number, port: number): Promise<KilledService> {
    const provider = await killedProviders[name].start()
    const service = new KilledService(name, provider, await emptyDatabaseUrl(), port)
    await service.#start()
    for (let at = 0; at < customers; at++) {
      const { accessToken: token } = await signUp(service.#url, `ann-${at}@example.com`)
      const { results } = await service.api(projects.list, {}, token)
      service.customers.push({ token, projectId: results[0]?.id ?? 0, paid: 0 })
    }
    await service.#offline(async ({ db }) => {
      await db.updateTable('projects').set({ currency: provider.currency }).execute()
      const users = await db.selectFrom('users').select('id').execute()
      for (const { id: user_id } of users) await insertOperator(db, { user_id, date_create: new Date().toISOString() })
    })
    return service
  }

  /** Returns a customer for each round, in turn. */
  customerOf(round: number): Customer {
    const customer = this.customers[round % this.customers.length]
    if (!customer) throw new Error('The service has no customers')
    return customer
  }

  async close(): Promise<void> {
    this.#service.close()
    await this.provider.double.close()
    await this.#database.drop()
  }

  async #start(): Promise<void> {
    const { child, url } = await this.#service.start()
    this.#child = child
    this.#url = url
  }

  async #kill(): Promise<void> {
    if (!this.#child) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }

  /** Kills the service without notice, and starts it on the same data. */
  async restart(): Promise<void> {
    await this.#kill()
    await this.#start()
  }

  /** Kills the service without notice, lets time pass for its jobs, milliseconds, and starts it. */
  restartAfter = (ms: number): Promise<void> => this.#offline(({ db }) => ageJobs(db, ms))

  /** Lets time pass for the jobs of the running service, milliseconds. */
  age = (ms: number): Promise<void> => this.#inDatabase(({ db }) => ageJobs(db, ms))

  async #inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const { url } = this.#database
    const file = `${this.#service.env['DATA_DIR']}/relaydeck.db`
    const database = await openDatabase(url === '' ? { file } : { url, poolMax: 1 })
    return await work(database).finally(() => database.close())
  }

  /** Kills the service, works on its database and starts it. */
  async #offline<T>(work: (database: Database) => Promise<T>): Promise<T> {
    await this.#kill()
    return await this.#inDatabase(work).finally(() => this.#start())
  }

  /** Kills the service while a call to the provider has no answer, and starts it. @param effect whether the provider acts on it */
  async killIn(of: string, effect: boolean, act: () => Promise<unknown>): Promise<void> {
    await killIn(this.provider.double, { call: of, effect }, act)
    await this.restart()
  }

  /** Calls an operation. @throws for any response other than a success */
  api<O extends Operation>(op: O, input: Input<O>, token: string): Promise<Output<O>> {
    return call(this.#url, op, input, token)
  }

  /** Delivers webhook messages. @throws for any response other than 200 */
  async deliver(messages: readonly PayMessage[]): Promise<void> {
    for (const { payload, headers: signature } of messages) {
      const headers = { 'content-type': 'application/json', ...signature }
      const { status } = await fetch(`${this.#url}/pay/webhook/${this.#name}`, {
        method: 'POST',
        headers,
        body: payload,
      })
      if (status !== 200) throw new Error(`The webhook answered ${status}`)
    }
  }

  /** Creates a payment. @returns its id */
  async create({ token, projectId }: Customer, more: object = {}): Promise<number> {
    const input = { project_id: projectId, type: 'topup', amount: 1_000, ...this.provider.payment, ...more } as const
    return (await this.api(payments.create, input, token)).payment_id
  }

  /** Opens the page of a payment. @returns its id at the provider */
  async open(id: number, { token }: Customer): Promise<string> {
    return this.provider.idOf((await this.api(paySystems.create, { payment_id: id }, token)).redirect_url)
  }

  /** Pays on a page, and delivers the messages. */
  async payOn(page: string): Promise<void> {
    await this.deliver(this.provider.pay(page))
  }

  /** Waits until a payment is credited, up to four minutes: a killed process has it by lease, and the next check waits after that. */
  async settled(id: number, { token, projectId }: Customer): Promise<void> {
    const isPaid = async () => {
      const { status } = await this.api(payments.get, { project_id: projectId, payId: id }, token)
      return status === 'success'
    }
    await eventually(isPaid).catch(() => eventually(isPaid))
  }

  /** Kills the service and checks its books. @returns what is wrong with the money of all projects, and with the sum at the provider */
  brokenBooks(): Promise<string[]> {
    return this.#offline(async ({ db }) => {
      const broken: string[] = []
      for (const { projectId, paid } of this.customers) {
        broken.push(...(await brokenRules({ db, clock: movableClock(new Date()) }, projectId)))
        const { payment } = await getBalance(db, projectId)
        if (payment !== paid) broken.push(`project ${projectId} has ${payment} instead of ${paid}`)
      }
      const account = `clearing.${this.#name}` as const
      const entries = await db.selectFrom('ledger_entries').selectAll().where('account', '=', account).execute()
      const cleared = 0 - entries.reduce((total, entry) => total + entry.amount_minor, 0)
      const held = this.provider.held()
      return cleared === held ? broken : [...broken, `clearing has ${cleared}, ${this.#name} ${held}`]
    })
  }
}
