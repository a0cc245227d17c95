// States of the steps before going live: `done`, or a key below `off-air:step` that names the missing part.
import type { Channel } from '#contract/entities/channel.ts'
import { stateOf } from '#src/areas/channels/channel-state.ts'

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
  const having = (name: string) => results.filter((channel) => stateOf(channel).name === name).length
  const [failed, untested] = [having('failed'), having('untested')]
  if (failed > 0) return { state: 'failed', values: { count: failed } }
  if (untested > 0) return { state: 'untested', values: { count: untested } }
  return { state: count > 0 ? 'done' : 'open', values: { count } }
}

/** Steps of the first run, in their order. */
export type GuideStep = 'channel' | 'encoder' | 'stream'

/** Returns the current step of the first run. @param isCopied address and key are in the encoder, as far as it is known */
export const guideStep = ({
  hasChannel,
  isCopied,
}: {
  readonly hasChannel: boolean
  readonly isCopied: boolean
}): GuideStep => (hasChannel ? (isCopied ? 'stream' : 'encoder') : 'channel')
