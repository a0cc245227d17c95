// Viewers: their sum, and those of each channel whose platform reports them.
import { make, markOf, paint } from './elements.ts'
import { sample } from './sample.ts'
import type { Draw } from './view.ts'

/** Draws nothing off air. */
export const drawCounter: Draw = (root, { settings, status: known, now }) => {
  const status = settings.test === true ? sample(now) : known
  if (!status || status.kind === 'inactive') return root.replaceChildren()
  const { total = true, channels = true, channels_layout: layout = 'row', icon = false } = settings
  const rows = status.restreams.filter(({ viewers }) => typeof viewers === 'number')
  const sum = rows.reduce((all, { viewers }) => all + (viewers ?? 0), 0)
  const box = paint(make('div', 'counter'), settings)
  if (total) {
    const number = make('strong', 'total', icon ? make('span', 'eye') : null, String(sum))
    number.style.fontSize = `${settings.size ?? 120}px`
    box.append(number)
  }
  if (channels && rows.length > 0) {
    const list = make('ul', 'channels')
    list.dataset['layout'] = layout
    list.style.fontSize = `${settings.channels_size ?? 40}px`
    for (const { type, name, viewers } of rows)
      list.append(make('li', '', markOf(type) ?? make('bdi', 'name', name ?? ''), String(viewers)))
    box.append(list)
  }
  root.replaceChildren(box)
}
