// Module of Bitfocus Companion: buttons for channels and the broadcast.
import { InstanceBase, InstanceStatus, type SomeCompanionConfigField } from '@companion-module/base'
import { type CallError, type Client, createClient } from '#integrations/client/main.ts'
import { findProject } from '#integrations/surface/find-project.ts'
import { actionsOf, type Deck, type DeckTypes, feedbacksOf, valuesOf, variablesOf } from './definitions.ts'
import { followProject, type ProjectFollower, type ProjectState } from '#integrations/surface/project-follower.ts'

/** Changes of stored settings by later versions; none yet. */
export const UpgradeScripts = []

const statuses = {
  connecting: InstanceStatus.Connecting,
  connected: InstanceStatus.Ok,
  refused: InstanceStatus.AuthenticationFailure,
  closed: InstanceStatus.Disconnected,
} as const

/** One connection of Companion to a project. */
export default class RelaydeckInstance extends InstanceBase<DeckTypes> {
  #follower: ProjectFollower | null = null
  /** Channels that the definitions name. */
  #defined = ''
  /** Settings that run; a start that was overtaken ends. */
  #run = 0

  async init(config: DeckTypes['config'], _isFirst: boolean, secrets: DeckTypes['secrets']): Promise<void> {
    await this.configUpdated(config, secrets)
  }

  async configUpdated({ url, project }: DeckTypes['config'], { token = '' }: DeckTypes['secrets']): Promise<void> {
    const run = ++this.#run
    this.#end()
    if (!/^https?:\/\//.test(url ?? '') || !URL.canParse(url) || token === '')
      return this.updateStatus(InstanceStatus.BadConfig, 'Enter the address of the service and an API token.')
    this.updateStatus(InstanceStatus.Connecting)
    const client = createClient({ url, token })
    // Companion waits for this function: the search for the project must not hold it.
    void this.#start(client, project, run)
  }

  async destroy(): Promise<void> {
    this.#run++
    this.#end()
  }

  getConfigFields(): SomeCompanionConfigField[] {
    return [
      {
        id: 'url',
        type: 'textinput',
        label: 'Address of the service',
        default: 'https://',
        regex: '/^https?:\\/\\/.+$/',
        width: 12,
      },
      {
        id: 'token',
        type: 'secret-text',
        label: 'API token',
        description: 'Account → API tokens, with project:read, channels:read, broadcasts:read and control.',
        width: 12,
      },
      {
        id: 'project',
        type: 'number',
        label: 'Number of the project; 0: the only one of the token',
        default: 0,
        min: 0,
        max: 2_147_483_647,
        width: 6,
      },
    ]
  }

  #end(): void {
    this.#follower?.close()
    this.#follower = null
  }

  async #start(client: Client, wanted: number, run: number): Promise<void> {
    const search = {
      isOver: () => run !== this.#run,
      failed: (error: CallError) => this.#failed(error),
      unclear: (known: string) => this.updateStatus(InstanceStatus.BadConfig, known),
    }
    const projectId = wanted > 0 ? wanted : await findProject(client, search)
    if (projectId === null || run !== this.#run) return
    const deck: Deck = {
      client,
      projectId,
      state: () => this.#follower?.state ?? { connection: 'connecting', status: null, channels: [] },
      refresh: async () => this.#follower?.refresh(),
      warn: (message) => this.log('warn', message),
    }
    this.#defined = ''
    this.#define(deck, deck.state())
    this.#follower = followProject(client, projectId, {
      changed: (state) => this.#show(deck, state),
      failed: (error) => this.#failed(error),
    })
  }

  #failed(error: CallError): void {
    const status =
      error.kind !== 'refused'
        ? InstanceStatus.ConnectionFailure
        : { 401: InstanceStatus.AuthenticationFailure, 403: InstanceStatus.InsufficientPermissions }[error.status]
    this.updateStatus(status ?? InstanceStatus.UnknownWarning, error.message)
  }

  /** Choices of channels are part of the definitions. */
  #define(deck: Deck, state: ProjectState): void {
    const channels = JSON.stringify(state.channels.map(({ id, name }) => [id, name]))
    if (channels === this.#defined) return
    this.#defined = channels
    this.setActionDefinitions(actionsOf(deck))
    this.setFeedbackDefinitions(feedbacksOf(deck))
    this.setVariableDefinitions(variablesOf(state))
  }

  #show(deck: Deck, state: ProjectState): void {
    this.#define(deck, state)
    this.updateStatus(statuses[state.connection])
    this.setVariableValues(valuesOf(state))
    this.checkAllFeedbacks()
  }
}
