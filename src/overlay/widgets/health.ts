// Health of the broadcast for a second screen: state, verdict with what to do, figures, and each channel with its reason.
import type { OnAir } from '#contract/entities/on-air.ts'
import { formatDuration, msOnAir } from '#src/lib/duration.ts'
import { make, markOf } from './elements.ts'
import { fillText, levelOf, whyOf } from './trouble.ts'
import type { Draw, View } from './view.ts'

export const drawHealth: Draw = (root, view) => {
  const { status, texts } = view
  if (status === null) return root.replaceChildren(make('p', 'quiet', texts('page.loading') ?? ''))
  if (status.kind === 'inactive')
    return root.replaceChildren(
      make('h1', 'state', texts('page.offline') ?? ''),
      make('p', 'quiet', texts('page.offlineText') ?? ''),
    )
  const level = status.verdict?.level ?? 'good'
  const heading = make('h1', 'state', make('span', 'dot'), texts(`page.${status.status}`) ?? '')
  heading.dataset['level'] = level
  const fill = make('p', 'fill', fillText(status, texts))
  root.replaceChildren(heading, fill, ...reasonsOf(status, view), figuresOf(status, view), channelsOf(status, view))
}

function reasonsOf({ verdict }: OnAir, { texts }: View): HTMLElement[] {
  return (verdict?.reasons ?? []).map(({ kind, level }) => {
    const reason = make(
      'p',
      'reason',
      make('strong', '', texts(`faults.${kind}.title`) ?? kind),
      ' ',
      texts(`faults.${kind}.todo`) ?? '',
    )
    reason.dataset['level'] = level
    return reason
  })
}

function figuresOf(status: OnAir, { texts, now }: View): HTMLElement {
  const times = { from: status.date_start, to: status.date_lost ?? null, away: status.away }
  const viewers = status.restreams.filter((one) => typeof one.viewers === 'number')
  const figures: readonly (readonly [name: string, value: string | null])[] = [
    ['time', formatDuration(msOnAir(times, now))],
    ['bitrate', status.bitrate === null ? null : (texts('page.kbps', { value: status.bitrate }) ?? '')],
    ['fps', status.fps === null ? null : String(Math.round(status.fps))],
    ['resolution', status.resolution || null],
    ['viewers', viewers.length === 0 ? null : String(viewers.reduce((sum, one) => sum + (one.viewers ?? 0), 0))],
  ]
  const list = make('dl', 'figures')
  for (const [name, value] of figures)
    if (value !== null)
      list.append(make('div', '', make('dt', '', texts(`page.${name}`) ?? name), make('dd', '', value)))
  return list
}

function channelsOf({ restreams }: OnAir, { texts }: View): HTMLElement {
  const list = make('ul', 'lines')
  for (const one of restreams.toSorted((a, b) => Number(levelOf(b) !== null) - Number(levelOf(a) !== null))) {
    const line = make(
      'li',
      '',
      markOf(one.type),
      make('bdi', 'name', one.name ?? String(one.id)),
      make('span', 'word', texts(`live.state.${one.state ?? 'idle'}`) ?? ''),
    )
    const level = levelOf(one)
    const why = whyOf(one, texts)
    if (level !== null) line.dataset['level'] = level
    if (level !== null && why !== '') line.append(make('p', 'why', why))
    list.append(line)
  }
  return list
}
