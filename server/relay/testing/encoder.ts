// Hand-made RTMP encoder, and relay timings for tests: short retries, and timeouts that a busy machine meets.
import type { Message } from '#server/relay/rtmp/message.ts'
import type { RtmpTarget } from '#contract/relay/desired-state.ts'
import { connect } from 'node:net'
import type { DestinationTiming } from '#server/relay/destinations/timing.ts'
import { openPublisher, type Publisher } from '#server/relay/destinations/publisher.ts'
import { Bundle } from '#server/relay/media/bundle.ts'
import { Packet } from '#server/relay/media/packet.ts'
import { interframe, keyframe } from './frames.ts'

/** Silence limit for hand-made encoders, which send seconds of media in one burst and then nothing, milliseconds. */
export const handMadeSilentMs = 600_000

export const quick: DestinationTiming = {
  dialMs: 10_000,
  publishMs: 10_000,
  retries: { firstMs: 100, mostMs: 400, jitter: 0.5 },
  rejectedMs: 600_000,
  stallMs: 10_000,
  steadyMs: 0,
  wellMs: 20_000,
  ladderMs: 60_000,
}

export interface Encoder extends Pick<Publisher, 'end' | 'destroy' | 'queued'> {
  send(...messages: Message[]): void
  /** Resolves with `live`, or with the relay's refusal. */
  readonly outcome: Promise<string>
  /** Resolves with the last message when the connection has ended. */
  readonly over: Promise<string>
}

/** Publishes to a relay. @param host default: this machine @param open default: plain TCP */
export function encode(port: number, key: string, host = '127.0.0.1', open = () => connect(port, host)): Encoder {
  const settled = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<string>()
  const target: RtmpTarget = { protocol: 'rtmp', host, port, app: 'live', key }
  const publisher = openPublisher(
    open(),
    target,
    {
      onLive: () => settled.resolve('live'),
      onClose(failure, words = failure) {
        settled.resolve(words)
        ended.resolve(words)
      },
    },
    { readyMs: 20_000 },
  )
  return {
    outcome: settled.promise,
    over: ended.promise,
    send: (...messages) => {
      for (const { type, timestamp, payload } of messages)
        publisher.write(new Bundle([new Packet(type as 8 | 9 | 18, timestamp, payload)]))
    },
    queued: publisher.queued,
    end: publisher.end,
    destroy: publisher.destroy,
  }
}

/**
 * Sends video at a bitrate (kbit/s) from the second second on, by the clock: a late process sends the missing frames later.
 * @returns a function that stops it
 */
export function sendEvenly(encoder: Pick<Encoder, 'send'>, kbps: number): () => void {
  const began = performance.now() - 1000
  let at = 1000
  const timer = setInterval(() => {
    for (; at < performance.now() - began; at += 20)
      encoder.send((at % 1000 === 0 ? keyframe : interframe)(at, (kbps * 20) / 8))
  }, 20)
  return () => clearInterval(timer)
}

/** Sends video at 40 Mbps. @returns a function that stops it */
export const sendTooMuch = (encoder: Pick<Encoder, 'send'>): (() => void) => sendEvenly(encoder, 40_000)
