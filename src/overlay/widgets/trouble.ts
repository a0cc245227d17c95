// Channels that need attention and why, in the sentences of Home, and what they receive in the place of the encoder.
import type { OnAir, Restream } from '#contract/entities/on-air.ts'
import { fillOf } from '#src/lib/health.ts'
import type { Texts } from '#src/overlay/texts.ts'

/** Returns how bad the state of a channel is; null: it needs no attention. */
export const levelOf = ({ state }: Restream): 'warning' | 'problem' | null =>
  state === 'degraded' ? 'warning' : state === 'backoff' || state === 'rejected' ? 'problem' : null

/** Returns what channels receive in the place of the encoder; empty while it is on air. */
export function fillText(onAir: Pick<OnAir, 'kind' | 'name' | 'status' | 'fill'>, texts: Texts): string {
  if (onAir.status === 'active')
    return onAir.kind === 'scheduler' ? (texts('page.scheduled', { name: onAir.name ?? '' }) ?? '') : ''
  return texts(`page.fill.${fillOf(onAir) ?? 'none'}`) ?? ''
}

/** Returns why a channel fails, with the message of its server. */
export function whyOf({ reason, words }: Restream, texts: Texts): string {
  const why = reason ? (texts(`live.reason.${reason}`) ?? reason) : ''
  return [why, words ? texts('live.serverMessage', { words }) : ''].filter(Boolean).join(' ')
}
