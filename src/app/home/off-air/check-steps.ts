// States of the steps before going live: `done`, or a key below `off-air:step` that names the missing part.
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import type { Channel } from '#contract/entities/channel.ts'
import type { NoServers } from '#contract/entities/ingest.ts'
import { stateOf } from '#src/areas/channels/channel-state.ts'
import { serverStateOf } from '#src/areas/ingest/server-state.ts'

/** @param server the best one @param reason reason for an empty list */
export function serverStep(
  server: Pick<IngestServer, 'silent' | 'full' | 'serverStatus'> | undefined,
  reason: NoServers | null | undefined,
): string {
  if (!server) return reason ?? 'none_reported'
  const state = serverStateOf(server)
  if (state === 'silent') return 'silent'
  return state === 'bad' || state === 'full' ? 'busy' : 'done'
}

/** Values of the texts of the step. @param ports of the relay, while another program uses one of them */
export const serverValues = (
  server: Pick<IngestServer, 'city' | 'quality'> | undefined,
  ports: readonly number[] = [],
): Readonly<Record<string, number | string>> => ({
  name: server?.city ?? '',
  quality: server?.quality ?? 0,
  ports: ports.join(', '),
})

/** Copying is no evidence: only a connected encoder proves that it has address and key. */
export function encoderStep(
  hasStreamed: boolean | undefined,
  copied: readonly ('address' | 'key')[],
): string | undefined {
  if (hasStreamed === undefined) return undefined
  if (hasStreamed) return 'done'
  const [hasKey, hasAddress] = [copied.includes('key'), copied.includes('address')]
  if (hasKey && hasAddress) return 'both'
  return hasKey ? 'key' : hasAddress ? 'address' : 'open'
}

/** @param results active channels @param count number of all active channels */
export function channelsStep(
  results: readonly Channel[] | undefined,
  count: number,
): { readonly state: string | undefined; readonly values: { readonly count: number } } {
  if (!results) return { state: undefined, values: { count } }
  const having = (name: string) => results.filter((channel) => stateOf(channel, false).name === name).length
  const [failed, untested] = [having('failed'), having('untested')]
  if (failed > 0) return { state: 'failed', values: { count: failed } }
  if (untested > 0) return { state: 'untested', values: { count: untested } }
  return { state: count > 0 ? 'done' : 'open', values: { count } }
}
