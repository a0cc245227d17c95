// Plugin of Elgato Stream Deck: keys for channels and the broadcast.
import streamDeck, { type KeyAction, SingletonAction } from '@elgato/streamdeck'
import { type CallError, createClient } from '#integrations/client/main.ts'
import { type Commands, commandsOf } from '#integrations/surface/commands.ts'
import { findProject } from '#integrations/surface/find-project.ts'
import { followProject, type ProjectFollower, type ProjectState } from '#integrations/surface/project-follower.ts'
import { faceOf, type KeyKind, type Trouble } from './faces.ts'

/** Settings of the plugin, which its settings page writes. */
type Settings = { url?: string; token?: string; project?: number }
/** Settings of a key. */
type KeySettings = { channel?: number }

const unknown: ProjectState = { connection: 'connecting', status: null, channels: [] }
/** Prefix of the ids of the actions. */
const prefix = 'org.relaydeck.streamdeck.'

let project: ProjectState = unknown
let trouble: Trouble = 'settings'
let follower: ProjectFollower | null = null
let commands: Commands | null = null
/** Settings that run; a start that was overtaken ends. */
let run = 0
/** Settings of the visible keys, by key. */
const channelOf = new Map<string, number | undefined>()

/** What a press does. @returns why it did nothing */
type Press = (commands: Commands, channel: number) => Promise<string | null>

/** All keys of one kind. */
class Key extends SingletonAction<KeySettings> {
  override readonly manifestId: string
  readonly #kind: KeyKind
  readonly #press: Press

  constructor(kind: KeyKind, press: Press = async () => null) {
    super()
    this.manifestId = prefix + kind
    this.#kind = kind
    this.#press = press
  }

  override onWillAppear({ action, payload }: { action: { id: string }; payload: { settings: KeySettings } }) {
    channelOf.set(action.id, payload.settings.channel)
    this.show()
  }

  override onDidReceiveSettings(event: { action: { id: string }; payload: { settings: KeySettings } }) {
    this.onWillAppear(event)
  }

  override onWillDisappear({ action }: { action: { id: string } }) {
    channelOf.delete(action.id)
  }

  override async onKeyDown({ action }: { action: KeyAction<KeySettings> }) {
    const why = commands === null ? 'Not connected.' : await this.#press(commands, channelOf.get(action.id) ?? 0)
    if (why === null) return
    streamDeck.logger.warn(why)
    await action.showAlert()
  }

  /** Shows the state on all keys of this kind. */
  show() {
    for (const action of this.actions) {
      if (!action.isKey()) continue
      const { title, picture, state } = faceOf(this.#kind, project, trouble, channelOf.get(action.id))
      void action.setTitle(title)
      void action.setImage(`imgs/${picture}`)
      void action.setState(state)
    }
  }
}

const keys = [
  new Key('channel', (to, channel) => to.switchChannel(channel, 'toggle')),
  new Key('pause', (to) => to.pause('toggle')),
  new Key('stop', (to) => to.stop()),
  new Key('health'),
]

function showAll(): void {
  for (const key of keys) key.show()
  // The settings page offers the channels.
  const channels = project.channels.map(({ id, name }) => ({ id, name }))
  void streamDeck.ui.sendToPropertyInspector({ trouble, channels })
}

function set(change: { readonly trouble?: Trouble; readonly project?: ProjectState }): void {
  if (change.trouble !== undefined) trouble = change.trouble
  if (change.project !== undefined) project = change.project
  showAll()
}

const troubleOf = (error: CallError): Trouble =>
  error.kind !== 'refused' ? 'offline' : error.status === 401 ? 'token' : error.status === 403 ? 'scopes' : 'offline'

async function start({ url = '', token = '', project: wanted = 0 }: Settings): Promise<void> {
  const own = ++run
  follower?.close()
  follower = commands = null
  if (!/^https?:\/\//.test(url) || !URL.canParse(url) || token === '')
    return set({ trouble: 'settings', project: unknown })
  set({ trouble: null, project: unknown })
  const client = createClient({ url, token })
  const failed = (error: CallError) => {
    streamDeck.logger.warn(error.message)
    set({ trouble: troubleOf(error) })
  }
  const unclear = (known: string) => {
    streamDeck.logger.warn(known)
    set({ trouble: 'project' })
  }
  const projectId = wanted > 0 ? wanted : await findProject(client, { isOver: () => own !== run, failed, unclear })
  if (projectId === null || own !== run) return
  follower = followProject(client, projectId, {
    changed: (next) =>
      set({ trouble: next.connection === 'refused' ? 'token' : next.status ? null : trouble, project: next }),
    failed,
  })
  commands = commandsOf({
    client,
    projectId,
    state: () => project,
    refresh: async () => follower?.refresh(),
  })
}

for (const key of keys) streamDeck.actions.registerAction(key)
streamDeck.settings.onDidReceiveGlobalSettings<Settings>(({ settings }) => void start(settings))
streamDeck.ui.onDidAppear(showAll)
await streamDeck.connect()
void streamDeck.settings.getGlobalSettings<Settings>()
