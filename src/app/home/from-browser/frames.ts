// Frames of a video track: by the track itself where the browser can, else by the element that shows it.

/** Streams the frames of a track (MediaStreamTrack Insertable Streams), which not all browsers have. */
interface TrackProcessor {
  readonly readable: ReadableStream<VideoFrame>
}
type TrackProcessorClass = new (init: { readonly track: MediaStreamTrack }) => TrackProcessor

/**
 * Calls back with each frame, which the callback closes, until the signal aborts.
 * @param onFrame `own`: time of the track, milliseconds
 */
export function readFrames(
  { track, video }: { readonly track: MediaStreamTrack; readonly video: HTMLVideoElement },
  onFrame: (frame: VideoFrame, own: number) => void,
  signal: AbortSignal,
): void {
  const Processor = (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor
  if (Processor) return void readTrack(new Processor({ track }), onFrame, signal)
  const next = () => {
    if (signal.aborted) return
    video.requestVideoFrameCallback((now) => {
      if (!signal.aborted) onFrame(new VideoFrame(video, { timestamp: Math.round(now * 1000) }), now)
      next()
    })
  }
  next()
}

async function readTrack(
  { readable }: TrackProcessor,
  onFrame: (frame: VideoFrame, own: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const reader = readable.getReader()
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
  for (;;) {
    const { value: frame } = await reader.read().catch(() => ({ value: undefined }))
    if (!frame) return
    if (signal.aborted) frame.close()
    else onFrame(frame, frame.timestamp / 1000)
  }
}
