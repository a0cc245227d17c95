// Billing check 7 with the built service: SIGKILL at each point of a payment, and a start on the same data. Runs at
// night; `KILL_ROUNDS` sets the number of kills at each point. In process: server/domain/billing/kill.test.ts.
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { movableClock } from '#server/core/clock.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { insertOperator } from '#server/domain/installation/store.ts'
import { getBalance } from '#server/domain/tariffs/ledger.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { emptyDatabaseUrl } from '#server/testing/databases.ts'
import { eventually } from '#server/testing/eventually.ts'
import { StripeDouble, type StripeMessage } from '#server/testing/pay/stripe-double.ts'
import { serviceProcess, signUp } from '#server/testing/process.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import { requestOf } from '#server/testing/test-app.ts'

const rounds = Number(process.env['KILL_ROUNDS'] ?? (process.env['NIGHTLY'] ? 20 : 0))
/** Leases of a minute end meanwhile, on a busy machine. */
const patience = 1_200_000
/** Pending payments of a project are limited, so that payments are spread over projects. */
const customerCount = 5

interface Customer {
  readonly token: string
  readonly projectId: number
  /** Settled amounts less refunds, minor units. */
  paid: number
}

let double: StripeDouble
let service: ReturnType<typeof serviceProcess>
let database: Awaited<ReturnType<typeof emptyDatabaseUrl>>
let child: ChildProcess
let url: string
const customers: Customer[] = []

beforeAll(async () => {
  if (rounds === 0) return
  double = await StripeDouble.start()
  database = await emptyDatabaseUrl()
  const port = await freePort()
  const PUBLIC_URL = `http://127.0.0.1:${port}`
  // Twenty kills take longer than the usual lifetime of a token.
  const ACCESS_TTL = '7200'
  service = serviceProcess({ ...double.env, DATABASE_URL: database.url, PORT: String(port), PUBLIC_URL, ACCESS_TTL })
  await start()
  for (let at = 0; at < customerCount; at++) {
    const { accessToken: token } = await signUp(url, `ann-${at}@example.com`)
    const { results } = await api(projects.list, {}, token)
    customers.push({ token, projectId: results[0]?.id ?? 0, paid: 0 })
  }
  await kill()
  const { db, close } = await open()
  const users = await db.selectFrom('users').select('id').execute()
  for (const { id: user_id } of users) await insertOperator(db, { user_id, date_create: new Date().toISOString() })
  await close()
  await start()
}, patience)

afterAll(async () => {
  if (rounds === 0) return
  service.close()
  await double.close()
  await database.drop()
})

async function start(): Promise<void> {
  ;({ child, url } = await service.start())
}

/** Kills the service without notice. */
async function kill(): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const open = (): Promise<Database> =>
  database.url === ''
    ? openDatabase({ file: `${service.env['DATA_DIR']}/relaydeck.db` })
    : openDatabase({ url: database.url, poolMax: 1 })

/** Calls an operation of the running service. @throws for any response other than a success */
async function api<O extends Operation>(op: O, input: Input<O>, token: string): Promise<Output<O>> {
  const { method, url: path, headers, query, payload } = requestOf(op, input, { as: token })
  const search = query ? `?${new URLSearchParams(query as Record<string, string>).toString()}` : ''
  const body = payload ? { body: JSON.stringify(payload) } : {}
  const answer = await fetch(url + path + search, {
    method,
    headers: { ...headers, ...(payload ? { 'content-type': 'application/json' } : {}) },
    ...body,
  })
  if (!answer.ok) throw new Error(`${op.id} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Output<O>
}

async function deliver(messages: readonly StripeMessage[]): Promise<void> {
  for (const { payload, signature } of messages) {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const { status } = await fetch(`${url}/pay/webhook/stripe`, { method: 'POST', headers, body: payload })
    expect(status).toBe(200)
  }
}

/** Kills the service while a call to the double has no answer, and starts it. @param effect whether the double acts on it */
async function killIn(call: string, effect: boolean, act: () => Promise<unknown>): Promise<void> {
  const before = double.hung.length
  double.hang = { call, effect }
  act().catch(() => undefined)
  await eventually(() => double.hung.length > before)
  await kill()
  await start()
}

const customerOf = (round: number): Customer => customers[round % customerCount]!
const create = async ({ token, projectId }: Customer, more: object = {}) =>
  (await api(payments.create, { project_id: projectId, type: 'topup', amount: 1_000, ...more }, token)).payment_id

async function openPage(id: number, { token }: Customer) {
  const { redirect_url } = await api(paySystems.create, { payment_id: id }, token)
  return double.state.sessions.get(redirect_url.split('/').at(-1) ?? '')!
}

/** Waits until a payment has ended. */
const settled = (id: number, { token, projectId }: Customer) =>
  eventually(async () => {
    const { status } = await api(payments.get, { project_id: projectId, payId: id }, token)
    return status === 'success'
  })

/** Kills the service. @returns what is wrong with the money of all projects, and with the sum at Stripe */
async function brokenBooks(): Promise<string[]> {
  await kill()
  const { db, close } = await open()
  const broken: string[] = []
  for (const { projectId, paid } of customers) {
    broken.push(...(await brokenRules({ db, clock: movableClock(new Date()) }, projectId)))
    const { payment } = await getBalance(db, projectId)
    if (payment !== paid) broken.push(`project ${projectId} has ${payment} instead of ${paid}`)
  }
  const entries = await db.selectFrom('ledger_entries').selectAll().where('account', '=', 'clearing.stripe').execute()
  await close()
  await start()
  const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0)
  const { intents, refunds } = double.state
  const atStripe =
    sum([...intents.values()].map((one) => one.amount_received)) - sum([...refunds.values()].map((one) => one.amount))
  const cleared = 0 - sum(entries.map((entry) => entry.amount_minor))
  return cleared === atStripe ? broken : [...broken, `clearing has ${cleared}, Stripe ${atStripe}`]
}

const each = Array.from({ length: rounds }, (_, round) => round)
test.skipIf(rounds === 0).each([false, true])(
  `billing check 7: SIGKILL while the payment begins (at Stripe: %s), ${rounds} times: one session each, paid once`,
  async (effect) => {
    const before = double.state.sessions.size
    for (const round of each) {
      const customer = customerOf(round)
      const id = await create(customer)
      await killIn('POST checkout/sessions', effect, () => openPage(id, customer))
      double.act(await openPage(id, customer), 'pay')
      await deliver(double.messages.splice(0))
      await settled(id, customer)
      customer.paid += 1_000
    }
    expect(double.state.sessions.size).toBe(before + rounds)
    expect(await brokenBooks()).toEqual([])
  },
  patience,
)

test.skipIf(rounds === 0)(
  `billing check 7: SIGKILL after a message was answered, ${rounds} times: the next process looks`,
  async () => {
    const waiting: [number, Customer][] = []
    for (const round of each) {
      const customer = customerOf(round)
      const id = await create(customer)
      const session = await openPage(id, customer)
      double.act(session, 'pay')
      const messages = double.messages.splice(0)
      await killIn(`GET checkout/sessions/${session.id}`, false, () => deliver(messages))
      customer.paid += 1_000
      waiting.push([id, customer])
      // At most five payments of a project may be pending.
      if ((round + 1) % (4 * customerCount) === 0) for (const one of waiting.splice(0)) await settled(...one)
    }
    for (const one of waiting) await settled(...one)
    expect(await brokenBooks()).toEqual([])
  },
  patience,
)

test.skipIf(rounds === 0)(
  `billing check 7: SIGKILL at any moment of the settlement, ${rounds} times: booked once`,
  async () => {
    const waiting: [number, Customer][] = []
    for (const round of each) {
      const customer = customerOf(round)
      const id = await create(customer)
      double.act(await openPage(id, customer), 'pay')
      const delivered = deliver(double.messages.splice(0)).catch(() => undefined)
      // From before the look to after the event was published.
      await wait(round * 4)
      await kill()
      await delivered
      await start()
      customer.paid += 1_000
      waiting.push([id, customer])
      if ((round + 1) % (4 * customerCount) === 0) for (const one of waiting.splice(0)) await settled(...one)
    }
    for (const one of waiting) await settled(...one)
    expect(await brokenBooks()).toEqual([])
  },
  patience,
)

test.skipIf(rounds === 0).each([false, true])(
  `billing check 7: SIGKILL while a saved card is charged (at Stripe: %s), ${rounds} times: one charge each`,
  async (effect) => {
    const [customer] = customers as [Customer]
    const first = await create(customer, { save: 1 })
    double.act(await openPage(first, customer), 'pay')
    await deliver(double.messages.splice(0))
    await settled(first, customer)
    customer.paid += 1_000
    const { results } = await api(methods.list, { project_id: customer.projectId }, customer.token)
    const method_id = results[0]?.method_id
    const before = double.state.intents.size
    for (const round of each) {
      await killIn('POST payment_intents', effect, () => create(customer, { method_id }))
      const list = { project_id: customer.projectId, page: 1, pageSize: 1 }
      const [last] = (await api(payments.list, list, customer.token)).results
      await settled(last?.payment_id ?? 0, customer)
      customer.paid += 1_000
      expect(double.state.intents.size).toBe(before + round + 1)
    }
    expect(await brokenBooks()).toEqual([])
  },
  patience,
)

test.skipIf(rounds === 0).each([false, true])(
  `billing check 7: SIGKILL while a refund is sent (at Stripe: %s), ${rounds} times: one refund each`,
  async (effect) => {
    const customer = customerOf(1)
    const id = await create(customer, { amount: 100 * rounds })
    double.act(await openPage(id, customer), 'pay')
    await deliver(double.messages.splice(0))
    await settled(id, customer)
    const before = double.state.refunds.size
    const input = { payment_id: id, amount: 100, reason: 'Asked by e-mail' }
    for (const _ of each)
      await killIn('POST refunds', effect, () => api(operatorPayments.refund, input, customer.token))
    await eventually(async () => {
      const { refunded } = await api(payments.get, { project_id: customer.projectId, payId: id }, customer.token)
      return refunded === 100 * rounds && double.state.refunds.size === before + rounds
    })
    expect(await brokenBooks()).toEqual([])
  },
  patience,
)
