// What keys show, by what is known of the project.
import type { ProjectState } from '#integrations/surface/project-follower.ts'
import { channelStateOf, isPaused, levelOf } from '#integrations/surface/project-state.ts'

/** Pictures of keys, below `imgs/`. */
export type Picture = 'live' | 'off' | 'warning' | 'problem' | 'waiting'

/** Title and picture of a key, and its state in the manifest. */
export interface Face {
  readonly title: string
  readonly picture: Picture
  readonly state: 0 | 1
}

/** Kinds of keys. */
export type KeyKind = 'channel' | 'pause' | 'stop' | 'health'

/** Why the plugin is not connected, as a key shows it; null: it is. */
export type Trouble = 'settings' | 'token' | 'scopes' | 'project' | 'offline' | null

const troubles: Readonly<Record<Exclude<Trouble, null>, string>> = {
  settings: 'Set up',
  token: 'Token\nrefused',
  scopes: 'Scope\nmissing',
  project: 'Project?',
  offline: 'Offline',
}

const off = (title: string): Face => ({ title, picture: 'off', state: 0 })

const ofChannel = {
  live: { picture: 'live', state: 1 },
  starting: { picture: 'waiting', state: 1 },
  waiting: { picture: 'waiting', state: 1 },
  problem: { picture: 'problem', state: 1 },
  off: { picture: 'off', state: 0 },
} as const

const ofLevel = { good: 'live', unknown: 'waiting', warning: 'warning', problem: 'problem' } as const
const levelTitles = { good: 'Good', unknown: 'Checking', warning: 'Warning', problem: 'Problem' } as const

/**
 * Returns the face of a key.
 * @param trouble why nothing is known of the project
 * @param channelId channel of a key of the kind `channel`
 */
export function faceOf(kind: KeyKind, project: ProjectState, trouble: Trouble, channelId?: number): Face {
  if (trouble !== null) return off(troubles[trouble])
  const { status, channels } = project
  if (status === null) return off('…')
  if (kind === 'channel') {
    const channel = channels.find(({ id }) => id === channelId)
    return channel ? { title: channel.name, ...ofChannel[channelStateOf(project, channel.id)] } : off('Channel?')
  }
  if (status.kind === 'inactive') return off('Off air')
  if (kind === 'stop') return { title: 'Stop', picture: 'live', state: 0 }
  if (kind === 'pause')
    return isPaused(project)
      ? { title: 'Paused', picture: 'warning', state: 1 }
      : { title: 'Pause', picture: 'live', state: 0 }
  const level = levelOf(project) ?? 'unknown'
  return { title: levelTitles[level], picture: ofLevel[level], state: 0 }
}
