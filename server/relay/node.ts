// A relay node: the relay, and its connection to the service. Streams continue while the service is unreachable.
import { nodeFeatures, protocolVersions } from '#contract/relay/protocol.ts'
import { type Capacity, createCapacity } from './capacity.ts'
import { nodeLoad } from './machine.ts'
import { createParts, type NodeParts } from './node-parts.ts'
import type { NodeOptions } from './node-options.ts'
import { type NodePorts, openPorts } from './node-ports.ts'
import { createServiceConnection, type ServiceConnection } from './service-connection.ts'
import { keyPlaceholder } from '#contract/entities/ingest.ts'
import { pullPrefix } from './srt/stream-id.ts'
import type { Slots } from './transcoders/slots.ts'
import type { TranscoderTools } from './transcoders/transcoder.ts'
import { currentRelease } from '#server/core/release.ts'

export interface RelayNode extends Pick<NodePorts, 'port' | 'securePort' | 'srtPort'> {
  /** Name or address that encoders connect to. */
  readonly host: string
  /** Accepts no new projects, and ends when none is left. @param ms time after which it disconnects the encoders that are left */
  drain(ms: number): void
  /** Accepts again, also after the deadline of the drain. */
  undrain(): void
  close(): Promise<void>
}

const reportMs = 30_000
/** A node that the service started ends after so long without it, if nothing is on air. */
const orphanMs = 60_000

/** Starts a node: opens its ports, then connects to the service, and retries until the service responds. */
export async function startNode(options: NodeOptions): Promise<RelayNode> {
  const connection = createServiceConnection(options)
  const capacity = createCapacity(options.threadLoad, () => void report())
  let hasOthers = false
  /** While the node drains, encoders connect to the other processes of the machine, if there are any. */
  const followDrain = () => ports.setOpen(!(hasOthers && drain.until() !== null))
  const parts = createParts(
    {
      ...options,
      onReport() {
        followDrain()
        void report()
      },
      onOthers(others) {
        hasOthers = others
        followDrain()
      },
    },
    connection,
    capacity,
  )
  const { relay, journal, samples, leases, drain, admissions } = parts
  const ports = await openPorts(relay, options)
  const { host, node, machine } = options.about
  const report = createReport(options, { parts, ports, connection, capacity })

  connection.open({
    onOpen() {
      const { latest: version } = protocolVersions
      const projects = relay.projects()
      const features = [...nodeFeatures]
      connection.send({ type: 'hello', version, node, machine, projects, leases: leases.greet(), features })
      void report()
      for (const { seq, event } of journal.pending()) connection.send({ type: 'event', seq, event })
      samples.resend()
      admissions.repeat()
    },
    onMessage: parts.handle,
    onClose(silentMs) {
      const isOrphan = options.owned && silentMs > orphanMs && relay.projects().length === 0
      if (isOrphan) options.onQuit()
      return !isOrphan
    },
  })
  const timer = setInterval(() => void report(), reportMs)

  const { port, securePort, srtPort, certificate } = ports
  return {
    host,
    port,
    securePort,
    srtPort,
    drain: drain.begin,
    undrain: drain.cancel,
    async close() {
      clearInterval(timer)
      certificate?.close()
      connection.stop()
      await parts.close()
      connection.close()
    },
  }
}

/** Creates the function that sends the node's report: addresses, programs and load. */
function createReport(
  { about: { host, ...about }, owned, bonding = false, films = '' }: NodeOptions,
  {
    parts: { relay, programs, transcoding, films: shelf, drain, preparer },
    ports,
    connection,
    capacity,
  }: {
    readonly parts: NodeParts
    readonly ports: NodePorts
    readonly connection: ServiceConnection
    readonly capacity: Capacity
  },
): () => Promise<void> {
  const load = nodeLoad(relay.totals)
  const hasFilms = films !== ''
  // Begins the measure, so that the first report has it.
  shelf.fileBytesMax()
  const { version: release } = currentRelease()
  const { port: rtmp, securePort, srtPort, pull, certificate } = ports
  return async () => {
    const ffmpeg = await programs.ffmpeg
    const time = new Date().toISOString()
    const rtmps = certificate?.context() ? securePort : undefined
    const srt = ffmpeg ? srtPort : undefined
    const filmBytesMax = shelf.fileBytesMax()
    const addresses = addressesOf({ host, rtmp, rtmps, srt, pull: { ...pull, srt: ffmpeg ? pull.srt : undefined } })
    connection.send({
      type: 'report',
      report: {
        ...about,
        beside: owned,
        time,
        ...addresses,
        bonding,
        browser: true,
        remote: ffmpeg !== null,
        plays: ffmpeg?.x264 === true && hasFilms,
        ...(filmBytesMax !== null && { filmBytesMax }),
        preparing: preparer.isBusy() || !ffmpeg?.x264,
        ffmpeg,
        ...(ffmpeg && { transcoders: slotsOf(transcoding, ffmpeg.cards !== undefined) }),
        full: capacity.isFull() || drain.until() !== null,
        drainUntil: drain.until(),
        release,
        load: load(),
      },
    })
  }
}

/** Returns the slots of the processor, and those of the graphics card if it works. */
function slotsOf({ slots, cardSlots }: TranscoderTools, hasCard: boolean): Slots['state'] {
  const all = [slots, ...(hasCard && cardSlots ? [cardSlots] : [])].map(({ state }) => state)
  return { max: sum(all.map(({ max }) => max)), free: sum(all.map(({ free }) => free)) }
}
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

// Addresses of a node for encoders and players, as it reports them to the registry of ingest servers.

/** Ports of a node; closed ones are omitted. */
interface OpenPorts {
  /** Public name or address. */
  readonly host: string
  readonly rtmp: number
  readonly rtmps?: number | undefined
  readonly srt?: number | undefined
  readonly pull: NodePorts['pull']
}

/** Returns the addresses without a key, or with a placeholder where the key is inside. */
function addressesOf({ host, rtmp, rtmps, srt, pull }: OpenPorts) {
  const srtOn = (port: number | undefined) => (port === undefined ? undefined : `srt://${host}:${port}`)
  const pullSrt = srtOn(pull.srt)
  return {
    rtmp: `rtmp://${host}:${rtmp}/live`,
    rtmps: rtmps === undefined ? undefined : `rtmps://${host}:${rtmps}/live`,
    srt: srtOn(srt),
    pull: {
      rtmp: `rtmp://${host}:${pull.rtmp}/pull/${keyPlaceholder}`,
      srt: pullSrt && `${pullSrt}?streamid=${pullPrefix}${keyPlaceholder}`,
    },
  }
}
