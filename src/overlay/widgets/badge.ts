// A badge while the broadcast is on air, with the time since its start.
import { msOnAir, formatDuration } from '#src/lib/duration.ts'
import { make, paint } from './elements.ts'
import type { Draw } from './view.ts'

/** Draws nothing off air. */
export const drawBadge: Draw = (root, { settings, status, texts, now }) => {
  if (!status || status.kind === 'inactive') return root.replaceChildren()
  const { title = '', timer = true, size = 40 } = settings
  const times = { from: status.date_start, to: status.date_lost ?? null, away: status.away }
  const badge = paint(
    make('div', 'badge', make('span', 'dot'), make('strong', '', title || (texts('page.live') ?? ''))),
    settings,
  )
  if (timer) badge.append(make('span', 'time', formatDuration(msOnAir(times, now))))
  badge.style.fontSize = `${size}px`
  root.replaceChildren(badge)
}
