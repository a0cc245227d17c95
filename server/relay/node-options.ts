// Options of a relay node.
import type { LeaseTiming } from './leases.ts'
import type { PortOptions } from './node-ports.ts'
import type { RelayOptions } from './relay.ts'
import type { ServiceConnectionOptions } from './service-connection.ts'

export interface NodeOptions
  extends
    Pick<RelayOptions, 'bitrate' | 'dial' | 'gatherMs' | 'graceMs' | 'silentMs' | 'timing'>,
    ServiceConnectionOptions,
    PortOptions {
  /** Name and place of the node. */
  readonly about: {
    readonly node: string
    /** Machine that the process runs on. Its processes share ports and recordings. Default: the name of the node. */
    readonly machine?: string
    readonly city: string
    readonly country: string
    readonly lat: number
    readonly long: number
    /** Name or address that encoders connect to. */
    readonly host: string
    /** Host and port whose `GET /healthz` browsers measure the latency of; empty: none. */
    readonly pingHost: string
  }
  /** Bonded encoders may enter by the SRT port. Their paths would reach different processes where several share it. */
  readonly bonding?: boolean
  /** Name or path of ffmpeg; empty: do not use it. */
  readonly ffmpeg: string
  /** Egress limit to destinations and players, kbps. 0 or missing: none. */
  readonly egressKbps?: number
  /** Transcoder limit of the processor. Default: 0. */
  readonly transcoders?: number
  /** Transcoder limit of the graphics card; 0: it is not used. Default: 0. */
  readonly cardTranscoders?: number
  /** Recordings folder. Empty or missing: do not record. */
  readonly recordings?: string
  /** Folder for clips in the form of streams. Empty or missing: no clips. */
  readonly films?: string
  /** Most bytes in that folder. Default: half of what it has and of the free space of its disk. */
  readonly filmBytesMax?: number
  /** Folder for the files of a preparation. Empty or missing: the node prepares no uploads. */
  readonly preparing?: string
  readonly leases?: LeaseTiming
  /** Load of the relay's thread since the last call, 0 to 1. Default: measured. */
  readonly threadLoad?: () => number
  /** The service started the node: without the service, the node ends when nothing is on air. */
  readonly owned: boolean
  /** Called when the node should end. */
  readonly onQuit: () => void
}
