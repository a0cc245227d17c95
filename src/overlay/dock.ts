// Dock of OBS: channels on and off, pause, title, and the channels that fail with their reasons. It acts with an API token of one project.
import type { Channel } from '#contract/entities/channel.ts'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { formatDuration, msOnAir } from '#src/lib/duration.ts'
import { type DockAddress, readDockAddress } from '#src/lib/widget-address.ts'
import { createDockChannels } from './dock-channels.ts'
import type { Service } from './service-address.ts'
import { loadTexts, type Texts } from './texts.ts'
import { askWith, followProject, type Refused } from './widget-feed.ts'
import { make } from './widgets/elements.ts'
import { fillText } from './widgets/trouble.ts'

/**
 * Starts the dock in an element.
 * @param hash fragment of the address: project and token
 * @returns a function that ends it
 */
export function startDock(root: HTMLElement, hash: string, service: Service): () => void {
  const address = readDockAddress(hash)
  let isOver = false
  let stop = () => {}
  void loadTexts(['page', 'live'], navigator.languages).then((texts) => {
    if (isOver) return
    if (address) stop = run(root, texts, { ...service, ...address })
    else root.replaceChildren(make('p', 'quiet', texts('page.dock.noToken') ?? ''))
  })
  return () => {
    isOver = true
    stop()
    root.replaceChildren()
  }
}

function run(
  root: HTMLElement,
  texts: Texts,
  { baseUrl, realtimeUrl, projectId, token }: Service & DockAddress,
): () => void {
  const word = (path: string) => texts(`page.dock.${path}`) ?? ''
  const ask = askWith({
    baseUrl,
    query: { project_id: String(projectId) },
    headers: { authorization: `Bearer ${token}` },
  })
  const note = make('p', 'note')
  note.setAttribute('role', 'status')
  /** Sends a change. The state follows by the realtime connection. */
  async function send<T>(path: string, fields: object, done: (answer: T) => string = () => ''): Promise<boolean> {
    note.textContent = ''
    try {
      note.textContent = done(await ask<T>(path, {}, { project_id: projectId, ...fields }))
      return true
    } catch (error) {
      note.textContent = (error as Partial<Refused>).msg ?? word('failed')
      return false
    }
  }

  const head = createHead(texts, send)
  const list = createDockChannels(texts, (channel_id, status) => send('channel/set-status', { channel_id, status }))
  root.replaceChildren(head.element, note, createTitle(texts, send), list.element)
  let status: BroadcastStatus | null = null
  const redraw = () => {
    head.show(status)
    list.show(status)
  }
  const readChannels = async () =>
    list.know((await ask<{ readonly results: readonly Channel[] }>('channel/search', { limit: '100' })).results)
  const timer = setInterval(redraw, 1_000)
  redraw()
  const stop = followProject({
    realtimeUrl,
    ask,
    begin: async () => {
      await readChannels()
      return projectId
    },
    listener: {
      status: (next) => {
        status = next
        redraw()
      },
      // A switch, a new channel, or one that was removed.
      changed: () => void readChannels().then(redraw, () => undefined),
      refused: () => {
        status = null
        redraw()
        note.textContent = word('refused')
      },
    },
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}

/** @param done text for the answer */
type Send = <T>(path: string, fields: object, done?: (answer: T) => string) => Promise<boolean>

/** State, time on air, the button that pauses, and what channels receive in the place of the encoder. */
function createHead(texts: Texts, send: Send) {
  const state = make('h1', 'state')
  const button = make('button', 'pause') as HTMLButtonElement
  button.type = 'button'
  const fill = make('p', 'fill')
  let act = () => {}
  button.addEventListener('click', () => act())
  return {
    element: make('header', 'head', state, button, fill),
    show: (status: BroadcastStatus | null) => {
      const isOnAir = status !== null && status.kind !== 'inactive'
      fill.textContent = isOnAir ? fillText(status, texts) : ''
      if (!isOnAir) {
        state.textContent = texts(status ? 'page.offline' : 'page.loading')
        delete state.dataset['level']
        button.hidden = true
        return
      }
      const times = { from: status.date_start, to: status.date_lost ?? null, away: status.away }
      state.textContent = `${texts(`page.dock.${status.status}`) ?? ''} ${formatDuration(msOnAir(times, Date.now()))}`
      state.dataset['level'] = status.verdict?.level ?? 'good'
      const isPaused = status.status === 'pause'
      button.hidden = false
      button.textContent = texts(isPaused ? 'page.dock.resume' : 'page.dock.pause')
      act = () => void send(isPaused ? 'broadcast/play' : 'broadcast/pause', { broadcast_id: status.broadcast_id })
    },
  }
}

/** Form that sets the title of all channels. */
function createTitle(texts: Texts, send: Send): HTMLElement {
  const input = document.createElement('input')
  input.maxLength = 140
  input.setAttribute('aria-label', texts('page.dock.title') ?? '')
  input.placeholder = texts('page.dock.title') ?? ''
  const button = make('button', '', texts('page.dock.setTitle') ?? '')
  const form = make('form', 'title', input, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const title = input.value.trim()
    if (title === '') return input.focus()
    void send('channel_settings/bulkUpdate', { title }, outcomeText(texts)).then((isDone) => {
      if (isDone) input.value = ''
    })
  })
  return form
}

/** Returns how many channels took a title: some platforms have none, and some channels have no account. */
const outcomeText =
  (texts: Texts) =>
  ({ results }: { readonly results: readonly { readonly outcome: string }[] }): string => {
    const done = results.filter(({ outcome }) => outcome === 'updated').length
    return texts('page.dock.titleSet', { done, all: results.length }) ?? ''
  }
