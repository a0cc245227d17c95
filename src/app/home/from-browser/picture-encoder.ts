// H.264 of a camera or a screen: fits each frame into a fixed size, with a keyframe each two seconds by time.
import { bitrates } from './rate.ts'

/** Longer and shorter side at most, pixels. */
const sides = { long: 1280, short: 720 } as const
const frameRate = 30
/** Distance of keyframes, and tolerance of half a frame, milliseconds. */
const keyMs = 2_000
const toleranceMs = 16
/** Frames that wait for the encoder; above it frames are dropped. */
const waitingMax = 4

/** Size of a stream, pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Returns the largest even size for a source, within 1280 × 720, or 720 × 1280 for an upright one. */
export function sizeFor({ width, height }: Size): Size {
  const isUpright = height > width
  const [mostWidth, mostHeight] = isUpright ? [sides.short, sides.long] : [sides.long, sides.short]
  const scale = Math.min(1, mostWidth / width, mostHeight / height)
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}

const configOf = ({ width, height }: Size, bitrate: number): VideoEncoderConfig => ({
  // Constrained Baseline, level 3.1: no frame refers to a later one.
  codec: 'avc1.42E01F',
  width,
  height,
  bitrate,
  framerate: frameRate,
  latencyMode: 'realtime',
  avc: { format: 'avc' },
})

/** Returns whether this browser encodes H.264. */
export async function canEncodePicture(): Promise<boolean> {
  if (typeof VideoEncoder === 'undefined') return false
  const config = configOf({ width: sides.long, height: sides.short }, bitrates.most)
  return VideoEncoder.isConfigSupported(config).then(
    ({ supported }) => supported === true,
    () => false,
  )
}

interface Handlers {
  /** @param header configuration, where it is new */
  readonly onFrame: (frame: EncodedVideoChunk, header: Uint8Array | null) => void
  readonly onFail: () => void
}

export class PictureEncoder {
  readonly #size: Size
  readonly #encoder: VideoEncoder
  readonly #canvas: OffscreenCanvas
  #bitrate: number = bitrates.most
  /** Time of the newest keyframe, milliseconds. */
  #keyAt: number | null = null

  constructor(size: Size, { onFrame, onFail }: Handlers) {
    this.#size = size
    this.#canvas = new OffscreenCanvas(size.width, size.height)
    this.#encoder = new VideoEncoder({
      output(chunk, metadata) {
        const about = metadata?.decoderConfig?.description
        onFrame(chunk, about === undefined ? null : bytesOf(about))
      },
      error: onFail,
    })
    this.#encoder.configure(configOf(size, this.#bitrate))
  }

  /** Changes the bitrate, bits a second. Small changes are left out. */
  setBitrate(bitrate: number): void {
    const change = Math.abs(bitrate - this.#bitrate) / this.#bitrate
    if (change < 0.05 || this.#encoder.state !== 'configured') return
    this.#bitrate = bitrate
    this.#encoder.configure(configOf(this.#size, bitrate))
  }

  /** The next frame becomes a keyframe. */
  demandKey(): void {
    this.#keyAt = null
  }

  /** Encodes a frame, and closes it. @param time milliseconds */
  encode(source: VideoFrame, time: number): void {
    const frame = this.#fit(source, time)
    if (this.#encoder.state === 'configured' && this.#encoder.encodeQueueSize <= waitingMax) {
      const keyFrame = this.#keyAt === null || time >= this.#keyAt + keyMs - toleranceMs
      if (keyFrame) this.#keyAt = time
      this.#encoder.encode(frame, { keyFrame })
    }
    frame.close()
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close()
  }

  /** A frame of the size of the stream: another shape gets bars. */
  #fit(source: VideoFrame, time: number): VideoFrame {
    const timestamp = Math.round(time * 1000)
    const { width, height } = this.#size
    const { displayWidth, displayHeight } = source
    if (displayWidth === width && displayHeight === height) {
      const frame = new VideoFrame(source, { timestamp })
      source.close()
      return frame
    }
    const scale = Math.min(width / displayWidth, height / displayHeight)
    const [w, h] = [displayWidth * scale, displayHeight * scale]
    const context = this.#canvas.getContext('2d', { alpha: false })
    context?.fillRect(0, 0, width, height)
    context?.drawImage(source, (width - w) / 2, (height - h) / 2, w, h)
    source.close()
    return new VideoFrame(this.#canvas, { timestamp })
  }
}

/** Copies the bytes of a buffer. */
export const bytesOf = (buffer: AllowSharedBufferSource): Uint8Array =>
  ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).slice()
    : new Uint8Array(buffer).slice()
