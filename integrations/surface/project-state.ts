// What a button shows of a project.
import type { ProjectState } from './project-follower.ts'

/** Level of the verdict on a broadcast. */
export type Level = 'good' | 'warning' | 'problem' | 'unknown'
/** State of a channel, as a button shows it. `waiting`: on, without a broadcast. */
export type ChannelState = 'live' | 'starting' | 'problem' | 'waiting' | 'off'

type OnAir = Exclude<NonNullable<ProjectState['status']>, { kind: 'inactive' }>

/** Returns the broadcast on air: of an encoder, or of scheduled files. */
export const onAirOf = (status: ProjectState['status']): OnAir | null =>
  status && status.kind !== 'inactive' ? status : null

/** Returns the state of a channel. */
export function channelStateOf({ status, channels }: ProjectState, id: number): ChannelState {
  const restream = onAirOf(status)?.restreams.find(({ channel_id }) => channel_id === id)
  switch (restream?.state) {
    case 'live':
      return 'live'
    case 'connecting':
    case 'publishing':
      return (restream.attempt ?? 0) > 0 ? 'problem' : 'starting'
    case 'degraded':
    case 'backoff':
    case 'rejected':
      return 'problem'
    default:
      return channels.find((one) => one.id === id)?.active ? 'waiting' : 'off'
  }
}

/** Returns whether the broadcast is paused. */
export const isPaused = ({ status }: ProjectState): boolean => onAirOf(status)?.action === 'stopped'

/** Returns the level of the verdict; null off air. */
export const levelOf = ({ status }: ProjectState): Level | null =>
  onAirOf(status) && (onAirOf(status)?.verdict?.level ?? 'good')
