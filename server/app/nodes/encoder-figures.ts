// Figures of an encoder, from memory: of a node of this replica, or requested from the replica of the node.
import { randomUUID } from 'node:crypto'
import type { SampleEvent } from '#contract/relay/events.ts'
import type { LinkReport } from '#contract/relay/reports.ts'
import type { Bus } from '#server/core/bus.ts'

/** Figures under the names of SRT Live Server. NOALBS reads `mbps…` and `rtt` as decimals, the others as integers. */
export interface EncoderFigures {
  /** Kilobits in the last second. */
  readonly bitrate: number
  readonly bytesRcvDrop: number
  readonly bytesRcvLoss: number
  /** 0: the relay does not estimate it. */
  readonly mbpsBandwidth: number
  readonly mbpsRecvRate: number
  readonly msRcvBuf: number
  readonly pktRcvDrop: number
  readonly pktRcvLoss: number
  /** Milliseconds. */
  readonly rtt: number
  /** Seconds. */
  readonly uptime: number
}

/** An encoder without a frame for this time is left out, milliseconds. NOALBS keeps its scene at a bitrate of 0. */
const quietMs = 2_000
/** Nodes send samples each second: one that is older says nothing about the encoder, milliseconds. */
const sampleMs = 5_000
/** Timeout of a request to another replica, milliseconds. */
const answerMs = 1_000
/** Integers of NOALBS are of 32 bits. */
const most = 2 ** 31 - 1

/** Nodes of releases without this report. */
const noLink: LinkReport = {
  rttMs: 0,
  lost: 0,
  dropped: 0,
  lostBytes: 0,
  droppedBytes: 0,
  bufferMs: 0,
  ageMs: 0,
  quietMs: 0,
}

/** Returns the figures of a sample; null when no encoder sends. @param ageMs age of the sample, milliseconds */
export function figuresOf(
  { ingest: { kbps, link } }: Pick<SampleEvent, 'ingest'>,
  ageMs: number,
): EncoderFigures | null {
  const known = link === undefined && kbps > 0 ? noLink : link
  if (!known || known.quietMs > quietMs || ageMs > sampleMs) return null
  const whole = (value: number) => Math.min(most, Math.round(value))
  return {
    bitrate: whole(kbps),
    bytesRcvDrop: whole(known.droppedBytes),
    bytesRcvLoss: whole(known.lostBytes),
    mbpsBandwidth: 0,
    mbpsRecvRate: kbps / 1000,
    msRcvBuf: whole(known.bufferMs),
    pktRcvDrop: whole(known.dropped),
    pktRcvLoss: whole(known.lost),
    rtt: Math.round(known.rttMs * 10) / 10,
    uptime: whole(known.ageMs / 1000),
  }
}

/** Message between replicas: a request, or its response from the replica that has the node. */
type FiguresMessage =
  | { readonly type: 'request'; readonly id: string; readonly projectId: number }
  | { readonly type: 'response'; readonly id: string; readonly figures: EncoderFigures | null }

/** Where a project is on air. */
interface Places {
  /** Returns the figures of a node of this replica; undefined: it is not here. */
  readonly here: (projectId: number) => EncoderFigures | null | undefined
  /** Returns whether a node of another replica has the project. */
  readonly isElsewhere: (projectId: number) => boolean
}

/** Returns the reader of the figures of a project. It returns null when no encoder sends, or no replica responds in a second. */
export function createEncoderFigures(bus: Pick<Bus, 'publish' | 'subscribe'>, { here, isElsewhere }: Places) {
  const waiting = new Map<string, (figures: EncoderFigures | null) => void>()
  const send = (message: FiguresMessage) => bus.publish('figures', message)
  bus.subscribe<FiguresMessage>('figures', (message) => {
    if (message.type === 'response') return waiting.get(message.id)?.(message.figures)
    const figures = here(message.projectId)
    if (figures !== undefined) send({ type: 'response', id: message.id, figures })
  })
  return async (projectId: number): Promise<EncoderFigures | null> => {
    const figures = here(projectId)
    if (figures !== undefined || !isElsewhere(projectId)) return figures ?? null
    const id = randomUUID()
    const response = new Promise<EncoderFigures | null>((resolve) => {
      waiting.set(id, resolve)
      setTimeout(resolve, answerMs, null).unref()
    })
    send({ type: 'request', id, projectId })
    return response.finally(() => waiting.delete(id))
  }
}
