// Sound of a stream: AAC where the browser encodes it, else Opus, else PCM in mono.
import { browserKinds } from '#contract/entities/browser-ingest.ts'
import { bytesOf } from './picture-encoder.ts'

const sampleRate = 48_000
const bitrate = 128_000
/** Bits a second, of the sound as it is sent. */
export const soundBitrates: Readonly<Record<SoundKind, number>> = { aac: bitrate, opus: bitrate, pcm: sampleRate * 16 }

type SoundKind = 'aac' | 'opus' | 'pcm'

interface Format {
  readonly kind: SoundKind
  readonly channels: number
  /** Missing for PCM. */
  readonly config?: AudioEncoderConfig
}

/** A part of the sound. */
export interface SoundPart {
  readonly kind: number
  /** Milliseconds. */
  readonly time: number
  readonly payload: Uint8Array
}

interface Handlers {
  readonly onHeader: (header: Pick<SoundPart, 'kind' | 'payload'>) => void
  readonly onPart: (part: SoundPart) => void
  /** @param time of the samples on the clock of their context, milliseconds @returns milliseconds */
  readonly timeOf: (time: number) => number
}

/** Samples of the worklet, `public/sound-worklet.js`. */
interface Samples {
  readonly channels: readonly Float32Array<ArrayBuffer>[]
  /** Clock of the context at the first sample, seconds. */
  readonly time: number
}

/** Returns the best format of this browser. */
async function formatHere(): Promise<Format> {
  const candidates: readonly Format[] = [
    { kind: 'aac', channels: 2, config: { codec: 'mp4a.40.2', sampleRate, numberOfChannels: 2, bitrate } },
    { kind: 'opus', channels: 2, config: { codec: 'opus', sampleRate, numberOfChannels: 2, bitrate } },
  ]
  if (typeof AudioEncoder !== 'undefined')
    for (const format of candidates) {
      const found = format.config && (await AudioEncoder.isConfigSupported(format.config).catch(() => null))
      if (found?.supported) return format
    }
  return { kind: 'pcm', channels: 1 }
}

/** Sound of a stream that is being encoded. */
export interface Sound {
  readonly kind: SoundKind
  close(): void
}

/** Begins to encode the sound of media streams, mixed. @throws where the browser has no worklets */
export async function beginSound(streams: readonly MediaStream[], handlers: Handlers): Promise<Sound> {
  const format = await formatHere()
  const context = new AudioContext({ sampleRate })
  await context.audioWorklet.addModule('/sound-worklet.js')
  await context.resume()
  const node = new AudioWorkletNode(context, 'relaydeck-sound', {
    channelCount: format.channels,
    channelCountMode: 'explicit',
    processorOptions: { channels: format.channels },
  })
  const take = format.config ? encodeBy(format, handlers) : sendPcm(handlers)
  node.port.onmessage = ({ data }: MessageEvent<Samples>) => take.samples(data)
  for (const stream of streams) context.createMediaStreamSource(stream).connect(node)
  // Its output is silent; without a destination browsers do not run it.
  node.connect(context.destination)
  return {
    kind: format.kind,
    close() {
      node.port.onmessage = null
      take.close()
      void context.close()
    },
  }
}

interface Taker {
  samples(samples: Samples): void
  close(): void
}

function encodeBy({ kind, channels, config }: Format, { onHeader, onPart, timeOf }: Handlers): Taker {
  const number = browserKinds[kind]
  const encoder = new AudioEncoder({
    output(chunk, metadata) {
      const about = metadata?.decoderConfig?.description
      if (kind === 'aac' && about !== undefined) onHeader({ kind: number, payload: bytesOf(about) })
      const payload = new Uint8Array(chunk.byteLength)
      chunk.copyTo(payload)
      onPart({ kind: number, time: chunk.timestamp / 1000, payload })
    },
    error: () => undefined,
  })
  if (config) encoder.configure(config)
  if (kind === 'opus') onHeader({ kind: number, payload: Uint8Array.of(channels) })
  return {
    samples({ channels: planes, time }) {
      if (encoder.state !== 'configured') return
      const frames = planes[0]?.length ?? 0
      const data = new Float32Array(frames * planes.length)
      planes.forEach((plane, at) => data.set(plane, at * frames))
      const about = {
        format: 'f32-planar',
        sampleRate,
        numberOfFrames: frames,
        numberOfChannels: planes.length,
      } as const
      const samples = new AudioData({ ...about, timestamp: Math.round(timeOf(time * 1000) * 1000), data })
      encoder.encode(samples)
      samples.close()
    },
    close: () => encoder.state === 'closed' || encoder.close(),
  }
}

function sendPcm({ onHeader, onPart, timeOf }: Handlers): Taker {
  const kind = browserKinds.pcm
  const rate = new Uint8Array(4)
  new DataView(rate.buffer).setUint32(0, sampleRate)
  onHeader({ kind, payload: rate })
  return {
    samples({ channels: [plane = new Float32Array(0)], time }) {
      const payload = new Uint8Array(plane.length * 2)
      const view = new DataView(payload.buffer)
      plane.forEach((value, at) => view.setInt16(at * 2, Math.round(Math.max(-1, Math.min(1, value)) * 32_767), true))
      onPart({ kind, time: timeOf(time * 1000), payload })
    },
    close: () => undefined,
  }
}
