// HLS as browsers play it by themselves, where they cannot take a stream piece by piece (phones): some seconds later.
import type { PlayerEnd } from './flv-player.ts'

/** Whether a stream can be taken piece by piece at all. */
export const hasMediaSource = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis

/** Whether this browser knows HLS without a library. */
export const playsHls = (video: HTMLVideoElement): boolean => video.canPlayType('application/vnd.apple.mpegurl') !== ''

/**
 * Plays until the stream ends or `signal` does.
 * @returns why it ended; never when the signal ended it
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
  // Muted, it may play by itself; where a browser will not, the person's own button does it.
  void Promise.resolve(video.play()).catch(() => undefined)
  return promise
}
