// Native HLS of browsers without Media Source Extensions (phones): some seconds behind.
import type { PlayerEnd } from './flv-player.ts'

/** Returns whether the browser has Media Source Extensions. */
export const hasMediaSource = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis

/** Returns whether the browser plays HLS without a library. */
export const playsHls = (video: HTMLVideoElement): boolean => video.canPlayType('application/vnd.apple.mpegurl') !== ''

/**
 * Plays until the stream ends or `signal` aborts.
 * @returns the reason; pending forever after an abort
 */
export function playHls(video: HTMLVideoElement, url: string, signal: AbortSignal): Promise<PlayerEnd> {
  const { promise, resolve } = Promise.withResolvers<PlayerEnd>()
  const closing = new AbortController()
  const close = () => {
    closing.abort()
    video.removeAttribute('src')
    video.load()
  }
  const end = (how: PlayerEnd) => {
    close()
    resolve(how)
  }
  const options = { signal: closing.signal }
  video.addEventListener('ended', () => end('ended'), options)
  video.addEventListener(
    'error',
    () => end(video.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'refused' : 'unsupported'),
    options,
  )
  signal.addEventListener('abort', close, { once: true })
  video.src = url
  // Muted video may start by itself; where a browser refuses, the user presses play.
  void Promise.resolve(video.play()).catch(() => undefined)
  return promise
}
