// Actions, feedbacks and variables of the module.
import type {
  CompanionActionDefinitions,
  CompanionFeedbackDefinitions,
  CompanionVariableDefinitions,
  DropdownChoice,
} from '@companion-module/base'
import { type CommandsOf, commandsOf } from '#integrations/surface/commands.ts'
import type { ProjectState } from '#integrations/surface/project-follower.ts'
import {
  type ChannelState,
  channelStateOf,
  isPaused,
  type Level,
  levelOf,
} from '#integrations/surface/project-state.ts'

/** Types of the module. */
export interface DeckTypes {
  config: { url: string; project: number }
  secrets: { token?: string }
  actions: {
    channel: { options: { channel: number; to: 'on' | 'off' | 'toggle' } }
    retry: { options: { channel: number } }
    pause: { options: { to: 'pause' | 'resume' | 'toggle' } }
    stop: { options: Record<string, never> }
    title: { options: { title: string; description: string } }
  }
  feedbacks: {
    on_air: { type: 'boolean'; options: Record<string, never> }
    paused: { type: 'boolean'; options: Record<string, never> }
    channel_on: { type: 'boolean'; options: { channel: number } }
    channel_state: { type: 'boolean'; options: { channel: number; state: ChannelState } }
    verdict: { type: 'boolean'; options: { level: Level } }
  }
  variables: Record<string, string | number | undefined>
}

/** What the definitions act on. */
export interface Deck extends CommandsOf {
  /** Logs why an action did nothing. */
  readonly warn: (message: string) => void
}

const stateChoices: DropdownChoice<ChannelState>[] = [
  { id: 'live', label: 'Live' },
  { id: 'starting', label: 'Starting' },
  { id: 'problem', label: 'Problem' },
  { id: 'waiting', label: 'On, waiting for a broadcast' },
  { id: 'off', label: 'Off' },
]

const channelOption = ({ channels }: ProjectState) => ({
  id: 'channel' as const,
  type: 'dropdown' as const,
  label: 'Channel',
  choices: channels.map(({ id, name }) => ({ id, label: name })),
  default: channels[0]?.id ?? 0,
})

/** Returns the actions. */
export function actionsOf(deck: Deck): CompanionActionDefinitions<DeckTypes['actions']> {
  const { client, projectId: project_id, state, warn } = deck
  const commands = commandsOf(deck)
  /** Logs why a command did nothing. */
  const report = async (outcome: Promise<string | null>) => {
    const why = await outcome
    if (why !== null) warn(why)
  }
  return {
    channel: {
      name: 'Switch a channel',
      options: [
        channelOption(state()),
        {
          id: 'to',
          type: 'dropdown',
          label: 'To',
          choices: [
            { id: 'toggle', label: 'On or off' },
            { id: 'on', label: 'On' },
            { id: 'off', label: 'Off' },
          ],
          default: 'toggle',
        },
      ],
      callback: ({ options: { channel, to } }) => report(commands.switchChannel(channel, to)),
    },
    retry: {
      name: 'Retry a channel now',
      options: [channelOption(state())],
      callback: ({ options: { channel } }) => report(commands.retry(channel)),
    },
    pause: {
      name: 'Pause or resume the broadcast',
      options: [
        {
          id: 'to',
          type: 'dropdown',
          label: 'To',
          choices: [
            { id: 'toggle', label: 'Pause or resume' },
            { id: 'pause', label: 'Pause' },
            { id: 'resume', label: 'Resume' },
          ],
          default: 'toggle',
        },
      ],
      callback: ({ options: { to } }) => report(commands.pause(to)),
    },
    stop: {
      name: 'Stop the broadcast',
      description: 'The encoder stays off air until it restarts its stream.',
      options: [],
      callback: () => report(commands.stop()),
    },
    title: {
      name: 'Set the title of all channels',
      options: [
        { id: 'title', type: 'textinput', label: 'Title', useVariables: true, minLength: 1 },
        {
          id: 'description',
          type: 'textinput',
          label: 'Description',
          useVariables: true,
          multiline: true,
          default: '',
        },
      ],
      callback: async ({ options: { title, description } }) => {
        const result = await client.call('channels.settings.bulkUpdate', { project_id, title, description })
        if (!result.ok) return warn(result.error.message)
        await deck.refresh()
        const left = result.data.results.filter(({ outcome }) => !['updated', 'by_key'].includes(outcome))
        for (const { channel_id, outcome } of left) {
          const name = state().channels.find(({ id }) => id === channel_id)?.name ?? String(channel_id)
          warn(`The title of ${name} is unchanged: ${outcome}.`)
        }
      },
    },
  }
}

const red = { bgcolor: 0xcc0000, color: 0xffffff } as const
const green = { bgcolor: 0x007a33, color: 0xffffff } as const
const amber = { bgcolor: 0xd98200, color: 0x000000 } as const

/** Returns the feedbacks. Without access none is true. */
export function feedbacksOf({ state }: Deck): CompanionFeedbackDefinitions<DeckTypes['feedbacks']> {
  return {
    on_air: {
      type: 'boolean',
      name: 'On air',
      defaultStyle: red,
      options: [],
      callback: () => (state().status?.kind ?? 'inactive') !== 'inactive',
    },
    paused: {
      type: 'boolean',
      name: 'Broadcast is paused',
      defaultStyle: amber,
      options: [],
      callback: () => isPaused(state()),
    },
    channel_on: {
      type: 'boolean',
      name: 'Channel is on',
      defaultStyle: green,
      options: [channelOption(state())],
      callback: ({ options: { channel } }) => state().channels.some(({ id, active }) => id === channel && active),
    },
    channel_state: {
      type: 'boolean',
      name: 'State of a channel',
      defaultStyle: red,
      options: [
        channelOption(state()),
        { id: 'state', type: 'dropdown', label: 'State', choices: stateChoices, default: 'problem' },
      ],
      callback: ({ options: { channel, state: wanted } }) =>
        state().channels.some(({ id }) => id === channel) && channelStateOf(state(), channel) === wanted,
    },
    verdict: {
      type: 'boolean',
      name: 'Verdict on the broadcast',
      defaultStyle: amber,
      options: [
        {
          id: 'level',
          type: 'dropdown',
          label: 'Verdict',
          choices: [
            { id: 'good', label: 'Good' },
            { id: 'warning', label: 'Warning' },
            { id: 'problem', label: 'Problem' },
          ],
          default: 'problem',
        },
      ],
      callback: ({ options: { level } }) => levelOf(state()) === level,
    },
  }
}

/** Returns the definitions of the variables: those of the broadcast, and two for each channel. */
export const variablesOf = ({ channels }: ProjectState): CompanionVariableDefinitions<DeckTypes['variables']> => ({
  air: { name: 'On air: on, paused, lost or off' },
  verdict: { name: 'Verdict: good, warning, problem or unknown' },
  bitrate: { name: 'Bitrate of the encoder, kbps' },
  channels_live: { name: 'Channels that are live' },
  channels_on: { name: 'Channels that are on' },
  ...Object.fromEntries(
    channels.flatMap(({ id, name }) => [
      [`channel_${id}_name`, { name: `Name of ${name}` }],
      [`channel_${id}_state`, { name: `State of ${name}` }],
    ]),
  ),
})

/** Returns the values of the variables. */
export function valuesOf(state: ProjectState): DeckTypes['variables'] {
  const { status, channels } = state
  const live = status && status.kind !== 'inactive' ? status : null
  const air = live === null ? 'off' : { active: 'on', pause: 'paused', lost: 'lost' }[live.status]
  return {
    air: status === null ? '' : air,
    verdict: levelOf(state) ?? '',
    bitrate: live?.bitrate ?? '',
    channels_live: channels.filter(({ id }) => channelStateOf(state, id) === 'live').length,
    channels_on: channels.filter(({ active }) => active).length,
    ...Object.fromEntries(
      channels.flatMap(({ id, name }) => [
        [`channel_${id}_name`, name],
        [`channel_${id}_state`, channelStateOf(state, id)],
      ]),
    ),
  }
}
