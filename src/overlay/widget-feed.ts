// Realtime state of a project for pages without a session. Reconnects forever; after a refusal less and less often.
import { Centrifuge, UnauthorizedError } from 'centrifuge'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import type { WidgetSettings } from '#contract/entities/widget.ts'
import { createRetries } from '#src/lib/backoff.ts'
import type { WidgetAddress } from '#src/lib/widget-address.ts'

export interface ProjectListener {
  readonly status: (status: BroadcastStatus) => void
  /** A write in the project was done. */
  readonly changed?: () => void
  /** The service refuses the token. */
  readonly refused: () => void
}

export interface WidgetListener extends ProjectListener {
  readonly settings: (settings: WidgetSettings) => void
  /** The begin of the next run of a schedule; null: none. It is read again when something changes in the project. */
  readonly next?: (next: string | null) => void
}

/** Time that an answer may take, milliseconds. */
const patienceMs = 20_000
/** Delay after a failed read, milliseconds. */
const againMs = 5_000

/** The service refuses a call. */
export class Refused extends Error {
  readonly status: number
  /** What the service says, in the language of the call. */
  readonly msg: string | undefined
  constructor(status: number, msg?: string) {
    super(`The service answered ${status}`)
    this.status = status
    this.msg = msg
  }
}

/** Calls the service. @param body of a write; left out: a read @throws Refused for another answer than a success */
export type Ask = <T>(path: string, fields?: Readonly<Record<string, string>>, body?: object) => Promise<T>

/** Returns a function that calls the service with a token, in the query or in a header. */
export function askWith({
  baseUrl,
  query,
  headers = {},
}: {
  readonly baseUrl: string
  readonly query: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}): Ask {
  return async <T>(path: string, fields: Readonly<Record<string, string>> = {}, body?: object): Promise<T> => {
    const about = body ? '' : `?${new URLSearchParams({ v: '1', ...query, ...fields }).toString()}`
    const answer = await fetch(`${baseUrl}/method/${path}${about}`, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMs),
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (answer.ok) return (await answer.json()) as T
    const { error } = Object(await answer.json().catch(() => ({}))) as { readonly error?: { readonly msg?: string } }
    throw new Refused(answer.status, error?.msg)
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 401 || error.status === 403)

interface Following {
  /** URL of the realtime connection, `wss://…`. */
  readonly realtimeUrl: string
  readonly ask: Ask
  /** Reads what the page needs before it connects. @returns the project */
  readonly begin: () => Promise<number>
  readonly listener: ProjectListener
  /** A channel beside that of the project, with its publications and what to read after a gap. */
  readonly beside?: {
    readonly channel: string
    readonly take: (payload: unknown) => void
    readonly read: () => Promise<void>
  }
}

/**
 * Follows the broadcasts of a project.
 * @returns a function that ends the connection
 */
export function followProject({ realtimeUrl, ask, begin, listener, beside }: Following): () => void {
  const retries = createRetries()
  let isOver = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let close = () => {}

  /** @throws UnauthorizedError for a refused token, which ends the connection */
  const tokenOf = (path: string, fields?: Readonly<Record<string, string>>): Promise<string> =>
    ask<{ readonly access_token: string }>(path, fields).then(
      ({ access_token: text }) => text,
      (error: unknown) => {
        throw isRefusal(error) ? new UnauthorizedError('Refused') : error
      },
    )

  async function start(): Promise<void> {
    retry = undefined
    try {
      const projectId = await begin()
      if (isOver) return
      close = connect(projectId)
      retries.reset()
    } catch (error) {
      again(isRefusal(error))
    }
  }

  function again(isRefused: boolean): void {
    if (isOver) return
    if (isRefused) listener.refused()
    close()
    close = () => {}
    retry ??= setTimeout(() => void start(), retries.next())
  }

  function connect(projectId: number): () => void {
    const client = new Centrifuge(realtimeUrl, {
      getToken: () => tokenOf('centrifuge/auth/connect'),
      minReconnectDelay: 200,
      maxReconnectDelay: 10_000,
    })
    // Without a listener the client throws its errors; states show their effect.
    const ignore = () => undefined
    let isOpen = true
    const end = () => isOpen && again(true)
    const read = (what: () => Promise<void>) => void what().catch(() => setTimeout(() => isOpen && read(what), againMs))
    const join = (channel_name: string, missed: () => Promise<void>, take: (data: unknown) => void) => {
      const subscription = client.newSubscription(channel_name, {
        getToken: () => tokenOf('centrifuge/auth/channel', { channel_name }),
        minResubscribeDelay: 200,
        maxResubscribeDelay: 10_000,
      })
      subscription.on('error', ignore)
      subscription.on('unsubscribed', end)
      subscription.on('subscribed', () => read(missed))
      subscription.on('publication', ({ data }) => take(data))
      subscription.subscribe()
    }
    client.on('error', ignore)
    client.on('disconnected', end)
    const readStatus = async () => {
      const status = await ask<BroadcastStatus>('broadcast/status')
      if (isOpen) listener.status(status)
    }
    join(`$project_live:${projectId}`, readStatus, (data) => {
      const { event, payload } = Object(data) as { event?: unknown; payload?: unknown }
      if (event === 'live-status') listener.status(payload as BroadcastStatus)
      if (event === 'changed') listener.changed?.()
    })
    if (beside)
      join(beside.channel, beside.read, (data) => beside.take((Object(data) as { payload?: unknown }).payload))
    client.connect()
    return () => {
      isOpen = false
      client.disconnect()
    }
  }

  void start()
  return () => {
    isOver = true
    clearTimeout(retry)
    close()
  }
}

interface Options extends WidgetAddress {
  /** Base URL of the API. */
  readonly baseUrl: string
  readonly realtimeUrl: string
  readonly listener: WidgetListener
}

/**
 * Follows the broadcasts and the settings of a widget.
 * @returns a function that ends the connection
 */
export function followWidget({ baseUrl, realtimeUrl, templateId, token, listener }: Options): () => void {
  const ask = askWith({ baseUrl, query: { widget: token } })
  let isOver = false
  const take = (payload: unknown) => {
    if (!isOver) listener.settings(Object(payload))
  }
  const read = async () => {
    const { payload, next = null } = await ask<{
      readonly payload: WidgetSettings | null
      readonly next?: string | null
    }>('integration-template/widget/get', { template_id: templateId })
    take(payload ?? {})
    if (!isOver) listener.next?.(next)
  }
  // A failure is made good by the next change.
  const changed = () => void read().catch(() => undefined)
  const stop = followProject({
    realtimeUrl,
    ask,
    listener: listener.next ? { ...listener, changed } : listener,
    begin: async () => {
      await read()
      const { data } = await ask<{ readonly data: { readonly project_id: number } }>('project/get_project_info')
      return data.project_id
    },
    beside: { channel: `$widget_template:${templateId}`, take, read },
  })
  return () => {
    isOver = true
    stop()
  }
}
