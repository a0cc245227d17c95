// Open pages of customers: two for each project, from addresses of their own. Both receive their messages in one order.
import { WebSocket } from 'ws'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import type { Cluster, Customer } from './cluster.ts'
import { clientAddress, machines } from './network.ts'
import type { Workload } from './workload.ts'

/** A frame of the realtime protocol, as far as a page reads it. */
interface Frame {
  readonly id?: number
  readonly push?: { readonly pub?: { readonly data: unknown; readonly offset?: number } }
}

/** What one page received on all its connections, in order. */
interface Page {
  readonly received: string[]
  connections: number
}

/** A page opens a closed connection again after this time, milliseconds. */
const againMs = 1_000

/** Opens the pages. */
export function startWatchers({ call, customers }: Cluster): Workload {
  const wrong: string[] = []
  const pages = customers.map((customer) => [open(customer, 0), open(customer, 10)] as const)
  const ends: (() => void)[] = []
  let isOn = true

  function open(customer: Customer, other: number): Page {
    const page: Page = { received: [], connections: 0 }
    const by = { token: customer.token, address: clientAddress(customer.number + other) }
    const again = () => isOn && setTimeout(() => void connect(), againMs)
    async function connect(): Promise<void> {
      const project = { project_id: customer.projectId }
      const channel = `$project_live:${customer.projectId}`
      const [forConnection, forChannel] = await Promise.all([
        call(tokens.connect, project, by),
        call(tokens.channel, { ...project, channel_name: channel }, by),
      ])
      if (forConnection.status !== 200 || forChannel.status !== 200) return void again()
      const tokenOf = ({ body }: { readonly body: string }) =>
        (JSON.parse(body) as { access_token: string }).access_token
      const address = `ws://${machines.balancer}/connection/websocket`
      const socket = new WebSocket(address, { localAddress: by.address, handshakeTimeout: 10_000 })
      socket.on('error', () => socket.terminate())
      socket.on('close', again)
      socket.on('open', () => {
        page.connections += 1
        socket.send(JSON.stringify({ id: 1, connect: { token: tokenOf(forConnection) } }))
        socket.send(JSON.stringify({ id: 2, subscribe: { channel, token: tokenOf(forChannel) } }))
      })
      let last = 0
      socket.on('message', (data: Buffer) => {
        for (const line of data.toString().split('\n')) last = receive(socket, page, JSON.parse(line) as Frame, last)
      })
      ends.push(() => socket.terminate())
    }
    void connect()
    return page
  }

  /** @returns the offset of the last publication */
  function receive(socket: WebSocket, page: Page, frame: Frame, last: number): number {
    if (Object.keys(frame).length === 0) socket.send('{}')
    const pub = frame.push?.pub
    if (!pub) return last
    const offset = pub.offset ?? 0
    if (last > 0 && offset !== last + 1) wrong.push(`offset ${offset} came after ${last}`)
    page.received.push(JSON.stringify(pub.data))
    return offset
  }

  return {
    name: 'pages receive messages in one order',
    async stop() {
      isOn = false
      for (const end of ends) end()
    },
    async check() {
      const disorders = pages.flatMap(([one, two], at) =>
        inOneOrder(one.received, two.received) ? [] : [`the pages of customer ${at} received messages in two orders`],
      )
      return [...wrong, ...disorders]
    },
    figure() {
      const all = pages.flat()
      const sum = (of: (page: Page) => number) => all.reduce((total, page) => total + of(page), 0)
      return `${sum(({ received }) => received.length)} messages on ${sum(({ connections }) => connections)} connections`
    },
  }
}

/** Compares the order of those messages that each page received once. */
export function inOneOrder(one: readonly string[], two: readonly string[]): boolean {
  const once = (all: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const text of all) counts.set(text, (counts.get(text) ?? 0) + 1)
    return new Set(all.filter((text) => counts.get(text) === 1))
  }
  const [first, second] = [once(one), once(two)]
  const [left, right] = [[...first].filter((text) => second.has(text)), [...second].filter((text) => first.has(text))]
  return left.every((text, at) => text === right[at])
}
