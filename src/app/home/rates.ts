// What each channel gets, from the bytes that were sent between two looks.
import { createContext, use, useState } from 'react'
import type { OnAir } from '#contract/areas/broadcasts/broadcasts.ts'

/** What was sent until a moment. */
export interface Sent {
  /** Milliseconds since 1970. */
  readonly at: number
  /** By restream. */
  readonly bytes: ReadonlyMap<number, number>
}

/** Keyframes come in lumps: over this long they are even. Milliseconds. */
const spanMs = 6_000

/** Adds what a look tells; the same list when it tells nothing new. */
export function addSent(seen: readonly Sent[], { date_sample, restreams }: OnAir): readonly Sent[] {
  const at = date_sample === null ? 0 : Date.parse(date_sample)
  if (at <= (seen.at(-1)?.at ?? 0)) return seen
  const bytes = new Map(restreams.map(({ id, bytes: sent = 0 }) => [id, sent]))
  return [...seen.filter((one) => one.at >= at - spanMs), { at, bytes }]
}

/** kbps that a restream gets; null while that is not known. */
export function rateOf(seen: readonly Sent[], id: number): number | null {
  const last = seen.at(-1)
  const first = seen.find(({ bytes }) => bytes.has(id))
  if (!last || !first || last.at <= first.at) return null
  const sent = (last.bytes.get(id) ?? 0) - (first.bytes.get(id) ?? 0)
  // Bits by milliseconds are kilobits by seconds.
  return sent < 0 ? null : Math.round((sent * 8) / (last.at - first.at))
}

/** What was sent lately, for those that show a rate: they alone change each second, and not the rows around them. */
export const SentContext = createContext<readonly Sent[]>([])

/** kbps that a restream gets, of the broadcast around. */
export const useRate = (id: number): number | null => rateOf(use(SentContext), id)

/** What a broadcast that is looked at again and again has sent. */
export function useSent(onAir: OnAir): readonly Sent[] {
  const [seen, setSeen] = useState<readonly Sent[]>([])
  const next = addSent(seen, onAir)
  if (next !== seen) setSeen(next)
  return next
}
