// The time that is left until a moment, with a title.
import { formatDuration } from '#src/lib/duration.ts'
import { make, paint } from './elements.ts'
import type { Draw } from './view.ts'

/** Draws nothing without a moment, and after it. Without a time in its settings it counts to the next run of a schedule. */
export const drawCountdown: Draw = (root, { settings, next, now }) => {
  const { until = next ?? '', title = '', size = 120 } = settings
  const left = Date.parse(until) - now
  if (!(left > 0)) return root.replaceChildren()
  // The last second shows 0:01, not 0:00.
  const time = make('strong', 'total', formatDuration(left + 999))
  time.style.fontSize = `${size}px`
  const heading = make('p', 'heading', title)
  heading.style.fontSize = `${Math.round(size / 3)}px`
  root.replaceChildren(paint(make('div', 'counter', title === '' ? null : heading, time), settings))
}
