// Where encoders and players reach a node, as it reports it to the registry of ingest servers.
import { keyPlaceholder } from '#contract/entities/ingest.ts'
import { pullPrefix } from './srt/stream-id.ts'

/** What a node listens on; what it does not take is left out. */
export interface Doors {
  /** Name or address that people reach it by. */
  readonly host: string
  readonly rtmp: number
  readonly rtmps?: number | undefined
  readonly srt?: number | undefined
}

/** Addresses without a key, and with a place for it where it stands within. */
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
