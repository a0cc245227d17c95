// Plays a live stream over HTTP-FLV in a video element: low latency, muted, and freed when closed.
import mpegts from 'mpegts.js'

/** Reason that a stream ended: a retry does not help after `unsupported`. */
export type PlayerEnd = 'ended' | 'refused' | 'unsupported'

interface Source {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

mpegts.LoggingControl.applyConfig({ enableAll: false })

/**
 * Plays until the stream ends or `signal` aborts.
 * @returns the reason; pending forever after an abort
 */
export function playFlv(video: HTMLVideoElement, { url, headers }: Source, signal: AbortSignal): Promise<PlayerEnd> {
  if (!mpegts.getFeatureList().mseLivePlayback) return Promise.resolve('unsupported')
  const player = mpegts.createPlayer(
    { type: 'flv', isLive: true, url },
    {
      headers: { ...headers },
      // Shows data as it arrives; catches up a small delay by faster playback, a large one by a seek.
      enableStashBuffer: false,
      liveSync: true,
      liveSyncMaxLatency: 2.5,
      liveSyncTargetLatency: 1.2,
      liveSyncPlaybackRate: 1.1,
      liveBufferLatencyChasing: true,
      liveBufferLatencyMaxLatency: 8,
      liveBufferLatencyMinRemain: 1,
      lazyLoad: false,
      // Keeps the buffer of a long broadcast from filling the memory.
      autoCleanupSourceBuffer: true,
      autoCleanupMaxBackwardDuration: 20,
      autoCleanupMinBackwardDuration: 5,
    },
  )
  const { promise, resolve } = Promise.withResolvers<PlayerEnd>()
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    // Destroyed in a later task: the library still emits events until the end of this one.
    setTimeout(() => player.destroy())
  }
  signal.addEventListener('abort', close, { once: true })
  const end = (how: PlayerEnd) => {
    close()
    if (!signal.aborted) resolve(how)
  }
  player.on(mpegts.Events.LOADING_COMPLETE, () => end('ended'))
  player.on(mpegts.Events.ERROR, (type: string) =>
    end(type === mpegts.ErrorTypes.NETWORK_ERROR ? 'refused' : 'unsupported'),
  )
  player.attachMediaElement(video)
  player.load()
  // Muted video may start by itself; where a browser refuses, the user presses play.
  void Promise.resolve(player.play()).catch(() => undefined)
  return promise
}
