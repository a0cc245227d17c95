// Channels in the dock: a switch each, the state on air, and why a channel fails.
import type { Channel } from '#contract/entities/channel.ts'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import type { Texts } from './texts.ts'
import { make, markOf } from './widgets/elements.ts'
import { levelOf, whyOf } from './widgets/trouble.ts'

/** @param onSwitch sends the switch; false: it was refused */
export function createDockChannels(texts: Texts, onSwitch: (channelId: number, isOn: boolean) => Promise<boolean>) {
  const element = make('ul', 'lines')
  const rows = new Map<number, ReturnType<typeof createRow>>()
  let channels: readonly Channel[] = []

  function rowOf(channel: Channel) {
    const known = rows.get(channel.group_id)
    if (known) return known
    const row = createRow(channel, (isOn) => onSwitch(channel.group_id, isOn))
    rows.set(channel.group_id, row)
    return row
  }

  return {
    element,
    know: (next: readonly Channel[]) => {
      channels = next
      for (const [id, row] of rows)
        if (!next.some((one) => one.group_id === id)) {
          row.element.remove()
          rows.delete(id)
        }
    },
    /** Rows stay in place, so that a press meets the row that it saw. */
    show: (status: BroadcastStatus | null) => {
      const restreams = status && status.kind !== 'inactive' ? status.restreams : []
      for (const channel of channels) {
        const row = rowOf(channel)
        const restream = restreams.find((one) => one.channel_id === channel.group_id)
        if (!row.element.isConnected) element.append(row.element)
        row.show({
          isOn: channel.active,
          level: restream && levelOf(restream),
          word: restream ? (texts(`live.state.${restream.state ?? 'idle'}`) ?? '') : '',
          why: restream && levelOf(restream) !== null ? whyOf(restream, texts) : '',
        })
      }
    },
  }
}

interface RowState {
  readonly isOn: boolean
  readonly level: 'warning' | 'problem' | null | undefined
  readonly word: string
  readonly why: string
}

function createRow({ name, type, group_id: id }: Channel, onSwitch: (isOn: boolean) => Promise<boolean>) {
  const label = make('bdi', 'name', name)
  label.id = `channel-${id}`
  const word = make('span', 'word')
  const why = make('p', 'why')
  const button = make('button', 'switch') as HTMLButtonElement
  button.type = 'button'
  button.setAttribute('role', 'switch')
  button.setAttribute('aria-labelledby', label.id)
  /** State that was asked for; null: none. */
  let wanted: boolean | null = null
  let isOn = false
  const paint = () => button.setAttribute('aria-checked', String(wanted ?? isOn))
  button.addEventListener('click', () => {
    if (wanted !== null) return
    wanted = !isOn
    paint()
    void onSwitch(wanted).then((isDone) => {
      if (isDone && wanted !== null) isOn = wanted
      wanted = null
      paint()
    })
  })
  const element = make('li', '', markOf(type), label, word, button, why)
  return {
    element,
    show: (state: RowState) => {
      ;({ isOn } = state)
      paint()
      word.textContent = state.word
      why.textContent = state.why
      why.hidden = state.why === ''
      if (state.level) element.dataset['level'] = state.level
      else delete element.dataset['level']
    },
  }
}
