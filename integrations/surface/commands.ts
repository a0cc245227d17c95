// Commands of control surfaces. Each resolves with why it did nothing; null: it is done.
import type { Client, Result } from '#integrations/client/main.ts'
import type { ProjectFollower, ProjectState } from './project-follower.ts'
import { isPaused, onAirOf } from './project-state.ts'

/** Project that the commands act on. */
export interface CommandsOf {
  readonly client: Client
  readonly projectId: number
  readonly state: () => ProjectState
  /** Reads the state after a change of ours. */
  readonly refresh: ProjectFollower['refresh']
}

type Outcome = Promise<string | null>

export interface Commands {
  switchChannel(channelId: number, to: 'on' | 'off' | 'toggle'): Outcome
  /** Connects a failed channel without waiting. */
  retry(channelId: number): Outcome
  pause(to: 'pause' | 'resume' | 'toggle'): Outcome
  stop(): Outcome
}

/** Returns the commands of a project. */
export function commandsOf({ client, projectId: project_id, state, refresh }: CommandsOf): Commands {
  const done = async (result: Result<unknown>): Outcome => {
    if (!result.ok) return result.error.message
    await refresh()
    return null
  }
  const onAir = async (work: (broadcast_id: number) => Promise<Result<unknown>>): Outcome => {
    const live = onAirOf(state().status)
    return live ? done(await work(live.broadcast_id)) : 'Nothing is on air.'
  }
  return {
    async switchChannel(channel_id, to) {
      const known = state().channels.find(({ id }) => id === channel_id)
      if (!known) return `Channel ${channel_id} is not in this project.`
      const status = to === 'toggle' ? !known.active : to === 'on'
      return done(await client.call('channels.channels.setStatus', { project_id, channel_id, status }))
    },
    retry: (channel_id) =>
      onAir((broadcast_id) => client.call('broadcasts.broadcasts.retry', { project_id, broadcast_id, channel_id })),
    pause: (to) =>
      onAir((broadcast_id) => {
        const isToPause = to === 'toggle' ? !isPaused(state()) : to === 'pause'
        const id = isToPause ? 'broadcasts.broadcasts.pause' : 'broadcasts.broadcasts.play'
        return client.call(id, { project_id, broadcast_id })
      }),
    stop: () => onAir((broadcast_id) => client.call('broadcasts.broadcasts.stop', { project_id, broadcast_id })),
  }
}
