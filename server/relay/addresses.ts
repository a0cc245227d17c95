// Addresses of a node for encoders and players, as it reports them to the registry of ingest servers.
import { keyPlaceholder } from '#contract/entities/ingest.ts'
import { pullPrefix } from './srt/stream-id.ts'

/** Ports of a node; closed ones are omitted. */
export interface Doors {
  /** Public name or address. */
  readonly host: string
  readonly rtmp: number
  readonly rtmps?: number | undefined
  readonly srt?: number | undefined
}

/** Returns the addresses without a key, or with a placeholder where the key is inside. */
export function addressesOf({ host, rtmp, rtmps, srt: port }: Doors) {
  const srt = port === undefined ? undefined : `srt://${host}:${port}`
  return {
    rtmp: `rtmp://${host}:${rtmp}/live`,
    rtmps: rtmps === undefined ? undefined : `rtmps://${host}:${rtmps}/live`,
    srt,
    pull: {
      rtmp: `rtmp://${host}:${rtmp}/pull/${keyPlaceholder}`,
      srt: srt && `${srt}?streamid=${pullPrefix}${keyPlaceholder}`,
    },
  }
}
