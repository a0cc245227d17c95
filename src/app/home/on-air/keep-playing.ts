// Keeps a live preview playing: ticket of the project, still image until the video starts, retry after its end.
import { type Preview, preview } from '#contract/areas/broadcasts/preview.ts'
import { backoffMs } from '#contract/core/backoff.ts'
import { call } from '#src/api/call.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { requestRetries } from '#src/lib/backoff.ts'
import { hasMediaSource, playHls, playsHls } from '#src/ui/player/hls-player.ts'

/** State of the preview, a key below `on-air-later:picture`. `elsewhere`: the server with the stream has no preview. */
export type PictureState = 'off' | 'starting' | 'playing' | 'failed' | 'unsupported' | 'elsewhere'

interface Hooks {
  readonly video: HTMLVideoElement
  readonly setState: (state: PictureState) => void
  readonly setPoster: (still: Blob) => void
}

const stillMs = 20_000

/** Plays with retries until `signal` aborts. */
export async function keepPlaying(projectId: number, hooks: Hooks, signal: AbortSignal): Promise<void> {
  await idle(signal)
  for (let failures = 0; !signal.aborted; failures++) {
    hooks.setState('starting')
    const began = Date.now()
    const state = await play(projectId, hooks, signal).catch((): PictureState => 'failed')
    if (signal.aborted) return
    hooks.setState(state)
    if (state === 'unsupported') return keepStill(projectId, hooks, signal)
    if (Date.now() - began > requestRetries.mostMs) failures = 0
    await wait(backoffMs(requestRetries, failures + 1), signal)
  }
}

/**
 * Plays once.
 * @returns the state after its end
 */
async function play(projectId: number, { video, setPoster }: Hooks, signal: AbortSignal): Promise<PictureState> {
  const sight = await call(preview.get, { project_id: projectId }, { signal })
  await showStill(sight, setPoster, signal)
  const { ticket, stream_path, hls_path } = sight
  if (stream_path === null) return 'elsewhere'
  const how = hasMediaSource()
    ? await playPieces(video, { path: stream_path, ticket }, signal)
    : hls_path && playsHls(video)
      ? await playHls(video, addressOf(hls_path), signal)
      : 'unsupported'
  return how === 'unsupported' ? 'unsupported' : 'failed'
}

async function playPieces(
  video: HTMLVideoElement,
  { path, ticket }: { readonly path: string; readonly ticket: string },
  signal: AbortSignal,
) {
  const { playFlv } = await import('#src/ui/player/flv-player.ts')
  return playFlv(video, { url: addressOf(path), headers: headersOf(ticket) }, signal)
}

/** Without video: refreshes the still image every 20 s. */
async function keepStill(projectId: number, { setPoster }: Hooks, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(stillMs, signal)
    if (signal.aborted) return
    await call(preview.get, { project_id: projectId }, { signal })
      .then((sight) => showStill(sight, setPoster, signal))
      .catch(() => undefined)
  }
}

async function showStill(
  { poster_path, ticket }: Pick<Preview, 'poster_path' | 'ticket'>,
  setPoster: Hooks['setPoster'],
  signal: AbortSignal,
): Promise<void> {
  if (poster_path === null) return
  const still = await fetch(addressOf(poster_path), { headers: headersOf(ticket), signal }).catch(() => null)
  if (still?.ok) setPoster(await still.blob())
}

const addressOf = (path: string): string => new URL(path, apiRuntime().baseUrl || location.origin).href
/** Sent in a header: a URL with the ticket could be shared, and would stay in the history. */
const headersOf = (ticket: string) => ({ authorization: `Preview ${ticket}` })

/** Waits until the page is idle. */
const idle = (signal: AbortSignal): Promise<void> =>
  'requestIdleCallback' in globalThis
    ? new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }))
    : wait(300, signal)

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
