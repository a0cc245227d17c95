// Remote sources.
import * as z from 'zod/mini'

/** Longest address, characters. */
export const remoteAddressMax = 2_000

/** Schemes of addresses that relay servers fetch. */
export const remoteSchemes = ['rtmp', 'rtmps', 'srt', 'http', 'https', 'rtsp'] as const
export type RemoteScheme = (typeof remoteSchemes)[number]

/** A remote source that a node fetches. Address and stream key are secrets: no log and no error may contain them. */
export const DesiredRemote = z.object({
  projectId: z.int(),
  url: z.string().check(z.maxLength(remoteAddressMax)),
  key: z.string(),
})
export type DesiredRemote = z.output<typeof DesiredRemote>

/** States. `waiting`: for a server that can fetch. */
export const remoteStates = ['off', 'waiting', 'connecting', 'live', 'failed'] as const
export type RemoteState = (typeof remoteStates)[number]
