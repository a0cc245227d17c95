// State of a channel and the tone of its badge; same words and colours as Home.
import type { Channel } from '#contract/entities/channel.ts'
import type { FillKind } from '#contract/entities/on-air.ts'
import { type Air, offAir } from '#src/lib/health.ts'
import type { Tone } from '#src/ui/badge.tsx'

type State =
  | 'off'
  | 'untested'
  | 'failed'
  | 'ready'
  | 'live'
  | FillKind
  | 'scheduled'
  | 'waiting'
  | 'starting'
  | 'busy'
  | 'error'
  | 'reconnect'
  | 'reachable'

const tones: Readonly<Record<State, Tone>> = {
  off: 'neutral',
  untested: 'neutral',
  failed: 'warn',
  ready: 'ok',
  live: 'ok',
  picture: 'warn',
  clip: 'warn',
  frame: 'warn',
  scheduled: 'ok',
  waiting: 'neutral',
  starting: 'accent',
  busy: 'warn',
  error: 'warn',
  reconnect: 'warn',
  reachable: 'neutral',
}

const states: Readonly<Record<Channel['status'], State>> = {
  init: 'starting',
  pending: 'starting',
  wait_transcoding: 'starting',
  running_transcoding: 'starting',
  busy: 'busy',
  error: 'error',
  error_transcoding: 'error',
  live: 'live',
  offline: 'ready',
}

type ChannelFacts = Pick<Channel, 'active' | 'status' | 'tokens' | 'ingress_url' | 'test'>

/**
 * Returns the state of a channel; the live status takes precedence over the switch. Texts below `channels:state`.
 * @param air what the channels receive: in a pause a connected platform receives nothing, and a failed one gets no attempt
 */
export function stateOf(
  { active, status, tokens, ...tested }: ChannelFacts,
  { isPaused, fill, isScheduled }: Air = offAir,
): { readonly name: State; readonly tone: Tone } {
  const live = fill ?? (isScheduled ? 'scheduled' : 'live')
  const known = states[status] === 'live' ? live : states[status]
  const doing = isPaused && known !== 'ready' ? 'waiting' : known
  const isLost = [tokens.account, tokens.group].some((token) => token.status === 'invalid')
  const name = doing !== 'ready' ? doing : isLost ? 'reconnect' : active ? readinessOf(tested) : 'off'
  return { name, tone: tones[name] }
}

/** A channel without an address gets one from its account, which is already verified. */
function readinessOf({ ingress_url: address, test }: Pick<ChannelFacts, 'ingress_url' | 'test'>): State {
  if (!address || test === undefined) return 'ready'
  if (test === null) return 'untested'
  if (test.reason === 'reachable') return 'reachable'
  return test.reason === 'ok' ? 'ready' : 'failed'
}
