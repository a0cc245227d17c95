// A live stream over HTTP-FLV in a video element: close to the present, quiet, and gone when it is closed.
import mpegts from 'mpegts.js'

/** Why a stream ended: `unsupported` will not get better by another try. */
export type PlayerEnd = 'ended' | 'refused' | 'unsupported'

interface Source {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

mpegts.LoggingControl.applyConfig({ enableAll: false })

/**
 * Plays until the stream ends or `signal` does.
 * @returns why it ended; never when the signal ended it
 */
export function playFlv(video: HTMLVideoElement, { url, headers }: Source, signal: AbortSignal): Promise<PlayerEnd> {
  if (!mpegts.getFeatureList().mseLivePlayback) return Promise.resolve('unsupported')
  const player = mpegts.createPlayer(
    { type: 'flv', isLive: true, url },
    {
      headers: { ...headers },
      // What arrives is shown at once; a little too late is caught up by playing faster, far too late by a leap.
      enableStashBuffer: false,
      liveSync: true,
      liveSyncMaxLatency: 2.5,
      liveSyncTargetLatency: 1.2,
      liveSyncPlaybackRate: 1.1,
      liveBufferLatencyChasing: true,
      liveBufferLatencyMaxLatency: 8,
      liveBufferLatencyMinRemain: 1,
      lazyLoad: false,
      // An evening's picture must not stay in memory.
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
    // The library has things to say until the end of its turn, and would say them to nobody.
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
  // Muted, it may play by itself; where a browser will not, the person's own button does it.
  void Promise.resolve(player.play()).catch(() => undefined)
  return promise
}
