// Realtime state of a project for the holder of a widget's token. Reconnects forever; after a refusal less and less often.
import { Centrifuge, UnauthorizedError } from 'centrifuge'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import type { WidgetSettings } from '#contract/entities/widget.ts'
import { createRetries } from '#src/lib/backoff.ts'
import type { WidgetAddress } from '#src/lib/widget-address.ts'

export interface WidgetListener {
  readonly settings: (settings: WidgetSettings) => void
  readonly status: (status: BroadcastStatus) => void
  /** The service refuses the token. */
  readonly refused: () => void
}

interface Options extends WidgetAddress {
  /** Base URL of the API. */
  readonly baseUrl: string
  /** URL of the realtime connection, `wss://…`. */
  readonly realtimeUrl: string
  readonly listener: WidgetListener
}

/** Time that an answer may take, milliseconds. */
const patienceMs = 20_000

/** The service refuses the token. */
class Refusal extends Error {}

/**
 * Follows the broadcasts of a widget.
 * @returns a function that ends the connection
 */
export function followWidget({ baseUrl, realtimeUrl, templateId, token, listener }: Options): () => void {
  const retries = createRetries()
  let isOver = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let close = () => {}

  async function ask<T>(path: string, fields: Readonly<Record<string, string>> = {}): Promise<T> {
    const query = new URLSearchParams({ v: '1', widget: token, ...fields })
    const answer = await fetch(`${baseUrl}/method/${path}?${query.toString()}`, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (answer.status === 401 || answer.status === 403) throw new Refusal()
    if (!answer.ok) throw new Error(`The service answered ${answer.status}`)
    return (await answer.json()) as T
  }

  /** @throws UnauthorizedError for a refused token, which ends the connection */
  const tokenOf = (path: string, fields?: Readonly<Record<string, string>>): Promise<string> =>
    ask<{ readonly access_token: string }>(path, fields).then(
      ({ access_token: text }) => text,
      (error: unknown) => {
        throw error instanceof Refusal ? new UnauthorizedError('Refused') : error
      },
    )

  async function readSettings(): Promise<void> {
    const { payload } = await ask<{ readonly payload: WidgetSettings | null }>('integration-template/widget/get', {
      template_id: templateId,
    })
    if (!isOver) listener.settings(payload ?? {})
  }

  async function readStatus(): Promise<void> {
    const status = await ask<BroadcastStatus>('broadcast/status')
    if (!isOver) listener.status(status)
  }

  async function begin(): Promise<void> {
    retry = undefined
    try {
      await readSettings()
      const { data } = await ask<{ readonly data: { readonly project_id: number } }>('project/get_project_info')
      if (isOver) return
      close = connect(data.project_id)
      retries.reset()
    } catch (error) {
      again(error instanceof Refusal)
    }
  }

  function again(isRefused: boolean): void {
    if (isOver) return
    if (isRefused) listener.refused()
    close()
    close = () => {}
    retry ??= setTimeout(() => void begin(), retries.next())
  }

  function connect(projectId: number): () => void {
    const delays = { minReconnectDelay: 200, maxReconnectDelay: 10_000 }
    const client = new Centrifuge(realtimeUrl, { getToken: () => tokenOf('centrifuge/auth/connect'), ...delays })
    const channels = { live: `$project_live:${projectId}`, settings: `$widget_template:${templateId}` }
    const [live, template] = [channels.live, channels.settings].map((channel_name) =>
      client.newSubscription(channel_name, {
        getToken: () => tokenOf('centrifuge/auth/channel', { channel_name }),
        minResubscribeDelay: 200,
        maxResubscribeDelay: 10_000,
      }),
    )
    // Without a listener the client throws its errors; states show their effect.
    const ignore = () => undefined
    client.on('error', ignore)
    const isOurs = { is: true }
    const end = () => {
      if (isOurs.is) again(true)
    }
    const read = (what: () => Promise<void>) =>
      void what().catch(() => setTimeout(() => isOurs.is && read(what), 5_000))
    for (const [subscription, missed] of [
      [live, readStatus],
      [template, readSettings],
    ] as const) {
      subscription?.on('error', ignore)
      subscription?.on('unsubscribed', end)
      subscription?.on('subscribed', () => read(missed))
      subscription?.subscribe()
    }
    live?.on('publication', ({ data }) => {
      const { event, payload } = Object(data) as { event?: unknown; payload?: unknown }
      if (event === 'live-status') listener.status(payload as BroadcastStatus)
    })
    template?.on('publication', ({ data }) => listener.settings(Object((data as { payload?: unknown }).payload)))
    client.on('disconnected', end)
    client.connect()
    return () => {
      isOurs.is = false
      client.disconnect()
    }
  }

  void begin()
  return () => {
    isOver = true
    clearTimeout(retry)
    close()
  }
}
