// Keeps a live picture playing: a ticket for the project, the still until it moves, and another try when it ended.
import { preview } from '#contract/areas/broadcasts/preview.ts'
import { call } from '#src/api/call.ts'
import { apiRuntime } from '#src/api/runtime.ts'

/** What is seen; below `home:picture` in words. `elsewhere`: the server that has the stream cannot show it. */
export type PictureState = 'off' | 'starting' | 'playing' | 'failed' | 'unsupported' | 'elsewhere'

interface Hooks {
  readonly video: HTMLVideoElement
  readonly setState: (state: PictureState) => void
  readonly setPoster: (still: Blob) => void
}

const retryMsMax = 30_000

/** Until the signal says so. */
export async function keepPlaying(projectId: number, hooks: Hooks, signal: AbortSignal): Promise<void> {
  await idle(signal)
  for (let failures = 0; !signal.aborted; failures++) {
    hooks.setState('starting')
    const began = Date.now()
    const state = await play(projectId, hooks, signal).catch((): PictureState => 'failed')
    if (signal.aborted) return
    hooks.setState(state)
    if (state === 'unsupported') return
    if (Date.now() - began > retryMsMax) failures = 0
    await wait(Math.min(1_000 * 2 ** failures, retryMsMax), signal)
  }
}

/** Once. @returns how it ended */
async function play(projectId: number, { video, setPoster }: Hooks, signal: AbortSignal): Promise<PictureState> {
  const { ticket, stream_path, poster_path } = await call(preview.get, { project_id: projectId }, { signal })
  // In a header: an address that opens a picture would be passed on, and kept.
  const headers = { authorization: `Preview ${ticket}` }
  const address = (path: string) => new URL(path, apiRuntime().baseUrl || location.origin).href
  const still = poster_path === null ? null : await fetch(address(poster_path), { headers, signal }).catch(() => null)
  if (still?.ok) setPoster(await still.blob())
  if (stream_path === null) return 'elsewhere'
  const { playFlv } = await import('#src/ui/player/flv-player.ts')
  const how = await playFlv(video, { url: address(stream_path), headers }, signal)
  return how === 'unsupported' ? 'unsupported' : 'failed'
}

/** The page first. */
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
