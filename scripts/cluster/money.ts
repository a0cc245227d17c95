// Payments of customers: what the provider has received is in the ledger, once.
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { movableClock } from '#server/core/clock.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import type { PayMessage } from '#server/testing/pay/killed-provider.ts'
import { poll } from '#scripts/house/poll.ts'
import type { Cluster, Customer } from './cluster.ts'
import { clientAddress, machines } from './network.ts'
import { send } from './request.ts'
import { loops, type Workload } from './workload.ts'

const amount = 1_000

/** Starts the payments. */
export function startPayments({ call, customers, provider, database: { db } }: Cluster): Workload {
  const paid = new Map<number, number>()
  const delivering: Promise<void>[] = []
  let isOn = true

  /** Delivers a message until it is accepted, as Stripe does, and once more from another address. */
  async function deliver({ payload, headers }: PayMessage, from: string): Promise<void> {
    const to = { host: machines.balancer, port: 80, path: '/pay/webhook/stripe', method: 'POST', from }
    const json = { 'content-type': 'application/json', ...headers }
    await poll('a webhook to be accepted', async () => {
      const { status } = await send({ ...to, headers: json, body: payload })
      return status === 200
    }).catch(() => undefined)
  }
  async function pay({ projectId, number, ...by }: Customer): Promise<void> {
    const input = { project_id: projectId, type: 'topup', amount, ...provider.payment }
    const created = await call(payments.create, input, by)
    if (created.status !== 201) return
    const { payment_id } = JSON.parse(created.body) as { readonly payment_id: number }
    const opened = await call(paySystems.create, { payment_id }, by)
    if (opened.status < 200 || opened.status > 299) return
    const page = provider.idOf((JSON.parse(opened.body) as { readonly redirect_url: string }).redirect_url)
    const messages = provider.pay(page)
    paid.set(projectId, (paid.get(projectId) ?? 0) + amount)
    for (const message of messages)
      for (const from of [clientAddress(number), clientAddress(number + 10)]) delivering.push(deliver(message, from))
  }
  const end = loops(customers, 1_500, (customer) => pay(customer))

  return {
    name: 'the money of the provider is in the ledger, once',
    async stop() {
      if (!isOn) return
      isOn = false
      await end()
      await Promise.all(delivering)
    },
    async check() {
      const wrong: string[] = []
      for (const { projectId } of customers) {
        const expected = paid.get(projectId) ?? 0
        // A killed replica has the check of a payment until its lease ends.
        await poll(`the payments of project ${projectId}`, async () => {
          const { payment } = await getBalance(db, projectId)
          if (payment !== expected) throw new Error(`the ledger has ${payment}, the customer paid ${expected}`)
          return true
        }).catch((error: Error) => wrong.push(`${error.message}: ${String(error.cause)}`))
        wrong.push(...(await brokenRules({ db, clock: movableClock(new Date()) }, projectId)))
      }
      const entries = await db
        .selectFrom('ledger_entries')
        .selectAll()
        .where('account', '=', 'clearing.stripe')
        .execute()
      const cleared = 0 - entries.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
      if (cleared !== provider.held()) wrong.push(`the ledger has ${cleared}, the provider ${provider.held()}`)
      return wrong
    },
    figure: () => `${[...paid.values()].reduce((sum, one) => sum + one, 0) / amount} payments`,
  }
}
