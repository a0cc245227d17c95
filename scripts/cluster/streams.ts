// Encoders of customers: each sends to one node, moves to the other one when it cannot, and its channel has one publisher.
import { setTimeout as delay } from 'node:timers/promises'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { encode, sendEvenly } from '#server/relay/testing/encoder.ts'
import { avcHeader } from '#server/relay/testing/frames.ts'
import { poll } from '#scripts/house/poll.ts'
import type { Cluster, Customer } from './cluster.ts'
import { awayMs, isKilled, returned } from './faults.ts'
import { machines } from './network.ts'
import type { Publication } from './platform.ts'
import { note, now } from './timeline.ts'
import type { Workload } from './workload.ts'

const nodes = ['relay-one', 'relay-two'] as const
const rtmpPort = 1935
const kbps = 120
/** An encoder gives a node up that takes nothing for this time, milliseconds. */
const patienceMs = 3_000
/** Pause of an encoder between two attempts, milliseconds. */
const againMs = 500
/** Two publishers of one key may overlap so long in all: a node that was paused sends until it learns that it is not the owner. Milliseconds. */
const overlapMs = 2_000
interface Stream {
  readonly customer: Customer
  readonly channelKey: string
  /** Node that the encoder sends to; null: none. */
  node: (typeof nodes)[number] | null
  moves: number
}

/**
 * Sets up a channel for each customer, and starts the encoders.
 * @param settledSeconds time in which everything is on air after the last fault
 */
export async function startStreams(cluster: Cluster, settledSeconds: number): Promise<Workload> {
  const { customers, platform, must } = cluster
  let isOn = true
  const streams: Stream[] = []
  const running: Promise<void>[] = []
  for (const customer of customers) {
    const { projectId: project_id, number } = customer
    const channelKey = `stream-${number}`
    const about = { rtmp_url: `rtmp://10.77.0.1:${platform.port}/live`, stream_key: channelKey }
    const input = { project_id, type: 'youtube', name: channelKey, ...about } as const
    const { channel_id } = await must(addChannel.any, input, customer)
    await must(channels.setStatus, { channel_id, status: true, project_id }, customer)
    const { key } = await must(streamKeys.get, { project_id }, customer)
    const stream: Stream = { customer, channelKey, node: null, moves: 0 }
    streams.push(stream)
    running.push(publish(stream, key))
  }

  /** Publishes until the end, to the nodes in turn. */
  async function publish(stream: Stream, key: string): Promise<void> {
    for (let at = stream.customer.number; isOn; at++) {
      const node = nodes[at % 2] ?? 'relay-one'
      // A killed node is tried: it may be there again.
      if (awayMs(node) === 0 || isKilled(node)) await publishTo(stream, key, node)
      await delay(againMs)
    }
  }
  async function publishTo(stream: Stream, key: string, node: (typeof nodes)[number]): Promise<void> {
    const encoder = encode(rtmpPort, key, machines[node])
    const late = delay(10_000, 'late', { ref: false })
    const outcome = await Promise.race([encoder.outcome, late])
    if (outcome !== 'live') {
      note(`encoder ${stream.customer.number} is refused by ${node}: ${outcome}`)
      return encoder.destroy()
    }
    encoder.send(avcHeader())
    const stop = sendEvenly(encoder, kbps)
    returned(node)
    stream.node = node
    stream.moves += 1
    note(`encoder ${stream.customer.number} is at ${node}`)
    let isOver = false
    void encoder.over.then(() => (isOver = true))
    while (isOn && !isOver && awayMs(node) < patienceMs) await delay(100)
    stop()
    stream.node = null
    encoder.destroy()
  }

  return {
    name: 'each project has one owner, and each channel one publisher',
    async check() {
      const wrong: string[] = []
      const settled = streams.map((stream) =>
        poll(`${stream.channelKey} to be on air`, () => isOnAir(cluster, stream), settledSeconds).catch(
          (error: Error) => wrong.push(`${error.message}: ${String(error.cause)}`),
        ),
      )
      await Promise.all(settled)
      for (const stream of streams) {
        const publications = platform.of(stream.channelKey)
        wrong.push(...overlaps(publications).map((text) => `${stream.channelKey} ${text}`))
        const disorder = publications.reduce((sum, one) => sum + one.disorder, 0)
        if (disorder > 0) wrong.push(`${stream.channelKey} got ${disorder} pictures out of order`)
      }
      wrong.push(...(await openTwice(cluster)))
      return wrong
    },
    async stop() {
      isOn = false
      await Promise.all(running)
    },
    figure() {
      const publications = streams.reduce((sum, { channelKey }) => sum + platform.of(channelKey).length, 0)
      return `${streams.length} encoders moved ${streams.reduce((sum, { moves }) => sum + moves, 0)} times, ${publications} publications`
    },
  }
}

/** The status that users see is what the encoder and the platform see. @throws what differs */
async function isOnAir({ must, platform }: Cluster, { customer, channelKey, node }: Stream): Promise<boolean> {
  if (node === null) throw new Error('the encoder is not connected')
  const { kind, status } = (await must(broadcasts.status, { project_id: customer.projectId }, customer)) as OnAir
  if (kind !== 'live') throw new Error('the encoder sends, and the project is not on air')
  if (status !== 'active') throw new Error(`the encoder sends, and the broadcast is ${status}`)
  const current = platform.of(channelKey).at(-1)
  if (!current?.isOpen || !current.times.has(Math.floor(now() / 100) - 5)) throw new Error('the platform gets nothing')
  if (current.from !== machines[node]) throw new Error(`the platform gets it from ${current.from}, not from ${node}`)
  return true
}

/** Returns pairs of publications that sent at the same time for longer than allowed. */
function overlaps(publications: readonly Publication[]): string[] {
  return publications.flatMap((older, at) =>
    publications.slice(at + 1).flatMap((newer) => {
      const both = [...older.times].filter((time) => newer.times.has(time))
      return both.length * 100 <= overlapMs
        ? []
        : [`was sent by ${older.from} and ${newer.from} from ${(both[0] ?? 0) / 10} s on, for ${both.length * 100} ms`]
    }),
  )
}

/** Projects with more than one open broadcast. */
async function openTwice({ database: { db }, customers }: Cluster): Promise<string[]> {
  const rows = await db.selectFrom('broadcasts').select('project_id').where('date_end', 'is', null).execute()
  return customers.flatMap(({ projectId }) => {
    const count = rows.filter((row) => row.project_id === projectId).length
    return count > 1 ? [`project ${projectId} has ${count} open broadcasts`] : []
  })
}
