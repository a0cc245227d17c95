// Billing check 7 with the built service: SIGKILL at each point of a payment, and a start on the same data. Runs at
// night; `KILL_ROUNDS` sets the number of kills at each point. In process: server/domain/billing/payments/kill.test.ts.
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Calls, type Counts, type KilledName, killedProviders } from '#server/testing/pay/killed-provider.ts'
import { type Customer, KilledService } from '#server/testing/pay/killed-service.ts'

const rounds = Number(process.env['KILL_ROUNDS'] ?? (process.env['NIGHTLY'] ? 20 : 0))
/** Leases of a minute end meanwhile, on a busy machine. */
const patience = 1_200_000
/** Pending payments of a project are limited, so that payments are spread over projects. */
const customerCount = 5

/** A service, the calls to its provider, and whether the provider acts on the call at which the service is killed. */
interface Killing {
  readonly service: KilledService
  readonly calls: Calls
  readonly effect: boolean
}

/** A point of a payment. */
interface Point {
  readonly title: string
  /** Kills the service so many times. */
  readonly run: (killing: Killing) => Promise<void>
  readonly effects: readonly boolean[]
  /** The provider makes one for each kill. */
  readonly made: keyof Counts
  /** Call that only some providers have. */
  readonly call?: 'capture' | 'charge'
  /** Number that the provider makes before the first kill. */
  readonly before?: number
}

/** Repeats a payment of 1,000 that a kill interrupts, and waits until all are credited. */
async function interrupted(service: KilledService, pay: (customer: Customer, round: number) => Promise<number>) {
  const waiting: [number, Customer][] = []
  for (let round = 0; round < rounds; round++) {
    const customer = service.customerOf(round)
    waiting.push([await pay(customer, round), customer])
    customer.paid += 1_000
    // At most five payments of a project may be pending.
    if (round === rounds - 1 || (round + 1) % (4 * customerCount) === 0)
      for (const [id, of] of waiting.splice(0)) await service.settled(id, of)
  }
}

const begin: Point['run'] = ({ service, calls, effect }) =>
  interrupted(service, async (customer) => {
    const id = await service.create(customer)
    await service.killIn(calls.begin, effect, () => service.open(id, customer))
    await service.payOn(await service.open(id, customer))
    // Captures of PayPal begin as orders do: none may run at the next kill.
    await service.settled(id, customer)
    return id
  })

const answered: Point['run'] = ({ service, calls, effect }) =>
  interrupted(service, async (customer) => {
    const id = await service.create(customer)
    const page = await service.open(id, customer)
    await service.killIn(calls.check(page), effect, () => service.payOn(page))
    return id
  })

const settling: Point['run'] = ({ service }) =>
  interrupted(service, async (customer, round) => {
    const id = await service.create(customer)
    const delivered = service.payOn(await service.open(id, customer)).catch(() => undefined)
    // From before the check to after the event was published.
    await wait(round * 4)
    await service.restart()
    await delivered
    return id
  })

const capture: Point['run'] = ({ service, calls, effect }) =>
  interrupted(service, async (customer) => {
    const id = await service.create(customer)
    const page = await service.open(id, customer)
    await service.killIn(calls.capture?.(page) ?? '', effect, () => service.payOn(page))
    return id
  })

async function charge({ service, calls, effect }: Killing): Promise<void> {
  const saved = new Map<Customer, number>()
  for (const customer of service.customers) {
    const first = await service.create(customer, { save: 1 })
    await service.payOn(await service.open(first, customer))
    await service.settled(first, customer)
    customer.paid += 1_000
    const { results } = await service.api(methods.list, { project_id: customer.projectId }, customer.token)
    saved.set(customer, results[0]?.method_id ?? 0)
  }
  await interrupted(service, async (customer) => {
    const method_id = saved.get(customer) ?? 0
    await service.killIn(calls.charge ?? '', effect, () => service.create(customer, { method_id }))
    const list = { project_id: customer.projectId, page: 1, pageSize: 1 }
    return (await service.api(payments.list, list, customer.token)).results[0]?.payment_id ?? 0
  })
}

async function refund({ service, calls, effect }: Killing): Promise<void> {
  const customer = service.customerOf(1)
  const { token, projectId } = customer
  const id = await service.create(customer, { amount: 100 * rounds })
  await service.payOn(await service.open(id, customer))
  await service.settled(id, customer)
  const before = service.provider.counts().refunds
  const input = { payment_id: id, amount: 100, reason: 'Asked by e-mail' }
  for (let round = 0; round < rounds; round++)
    await service.killIn(calls.refund, effect, () => service.api(operatorPayments.refund, input, token))
  await eventually(async () => {
    const { refunded } = await service.api(payments.get, { project_id: projectId, payId: id }, token)
    return refunded === 100 * rounds && service.provider.counts().refunds === before + rounds
  })
}

const both = [false, true]
const points: readonly Point[] = [
  { title: 'while the payment begins', run: begin, effects: both, made: 'pages' },
  { title: 'after a message was answered', run: answered, effects: [false], made: 'charges' },
  { title: 'at any moment of the settlement', run: settling, effects: [false], made: 'charges' },
  { title: 'while the money is taken', run: capture, effects: both, made: 'charges', call: 'capture' },
  {
    title: 'while a saved card is charged',
    run: charge,
    effects: both,
    made: 'charges',
    call: 'charge',
    before: customerCount,
  },
  { title: 'while a refund is sent', run: refund, effects: both, made: 'refunds' },
]

const rows = (Object.keys(killedProviders) as KilledName[]).flatMap((name) => {
  const calls: Calls = killedProviders[name].calls
  return points
    .filter(({ call }) => call === undefined || calls[call] !== undefined)
    .flatMap((point) => point.effects.map((effect) => ({ name, calls, effect, ...point })))
})

const services = new Map<KilledName, KilledService>()
afterAll(async () => {
  for (const service of services.values()) await service.close()
})

async function serviceOf(name: KilledName): Promise<KilledService> {
  const service = services.get(name) ?? (await KilledService.start(name, customerCount, await freePort()))
  services.set(name, service)
  return service
}

test.skipIf(rounds === 0).each(rows)(
  `billing check 7: SIGKILL $title, ${rounds} times: one each, booked once ($name, done there: $effect)`,
  async ({ name, calls, effect, run, made, before = 0 }) => {
    const service = await serviceOf(name)
    const count = service.provider.counts()[made]
    await run({ service, calls, effect })
    expect(service.provider.counts()[made]).toBe(count + before + rounds)
    expect(await service.brokenBooks()).toEqual([])
  },
  patience,
)
