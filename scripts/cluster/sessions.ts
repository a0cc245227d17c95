// Sessions of customers: two tabs refresh with the same token at the same time, and both get the one successor.
import { auth } from '#contract/areas/account/auth.ts'
import type { Cluster, Customer } from './cluster.ts'
import { clientAddress } from './network.ts'
import { loops, type Workload } from './workload.ts'

/** Starts the tabs. */
export function startSessions({ call, customers }: Cluster): Workload {
  const wrong: string[] = []
  const tokens = new Map(customers.map(({ number, refresh }) => [number, refresh]))
  let rotations = 0
  let repeats = 0

  async function rotate({ number }: Customer, token: string, address: string) {
    const { status, body } = await call(auth.refreshAccess, { app: 'site', refresh: token }, { token: '', address })
    if (status >= 200 && status < 300) return (JSON.parse(body) as { readonly refreshToken: string }).refreshToken
    if (status === 0 || status >= 502) return null
    wrong.push(`the session of customer ${number} was refused with ${status}: ${body}`)
    return null
  }
  const stop = loops(customers, 900, async (customer) => {
    const token = tokens.get(customer.number)
    if (token === undefined) return
    const both = [customer.address, clientAddress(customer.number + 10)]
    const successors = new Set(await Promise.all(both.map((address) => rotate(customer, token, address))))
    successors.delete(null)
    if (successors.size > 1) wrong.push(`a token of customer ${customer.number} has ${successors.size} successors`)
    const [successor] = successors
    if (successor === null || successor === undefined) repeats += 1
    else tokens.set(customer.number, successor)
    rotations += successors.size
    // A lost session stays lost: one violation is enough.
    if (wrong.length > 0) tokens.delete(customer.number)
  })
  return {
    name: 'a session rotates once for each refresh, and is never lost',
    stop,
    check: async () => wrong,
    figure: () => `${rotations} rotations, ${repeats} without an answer and repeated`,
  }
}
