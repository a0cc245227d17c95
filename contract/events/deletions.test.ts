// Chat changes that replicas publish in another order than they were committed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChange } from './chat.ts'
import { Deletions } from './deletions.ts'

const message = { is_outgoing: false, restreams: [{ restream_id: 1 }], sender: { id: 'Ann' }, text: 'secret' }
const got = (event_id: string, seq: number, more: object = {}) =>
  ({ action: 'got', event_id, seq, ...message, ...more }) as ChatChange

test('invariant 5: leaves out a message that is published after its deletion, and keeps later ones', () => {
  const deletions = new Deletions()
  const passed = (...changes: ChatChange[]) => deletions.current(changes)
  expect(passed({ action: 'deleted', event_id: 'one', last_seq: 4 })).toHaveLength(1)
  expect(passed(got('one', 3))).toEqual([])
  expect(passed(got('one', 3), got('two', 4))).toMatchObject([{ event_id: 'two' }])
  expect(passed(got('one', 3, { shown_seq: 5 }))).toHaveLength(1)
  expect(passed({ action: 'deleted', event_id: 'one', last_seq: 4 })).toEqual([])
  expect(passed({ action: 'cleared', restream_id: 1, sender_id: 'Ann', last_seq: 6 })).toHaveLength(1)
  expect(passed(got('three', 6), got('four', 6, { sender: { id: 'Bob' } }), got('five', 7))).toMatchObject([
    { event_id: 'four' },
    { event_id: 'five' },
  ])
})

test('invariant 5: a replica of an older version publishes without numbers, and nothing is left out', () => {
  const deletions = new Deletions()
  const changes: ChatChange[] = [{ action: 'deleted', event_id: 'one' }, got('one', 3)]
  expect(deletions.current(changes)).toEqual(changes)
})

test('clients end with the committed state, however the publications of two replicas overtake each other', () => {
  const act = fc.record({
    act: fc.constantFrom('store', 'delete', 'hide', 'show'),
    id: fc.nat(3),
    replica: fc.nat(1),
  })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 20 }), fc.infiniteStream(fc.boolean()), (acts, turns) => {
      const { queues, visible } = committed(acts)
      const deletions = new Deletions()
      const shown = new Set<string>()
      while (queues.some(({ length }) => length > 0)) {
        const [first = [], second = []] = queues
        const from = first.length === 0 || (second.length > 0 && turns.next().value) ? second : first
        for (const change of deletions.current(from.splice(0, 1))) {
          if (change.action === 'got') shown.add(change.event_id)
          if (change.action === 'deleted') shown.delete(change.event_id)
        }
      }
      expect(shown).toEqual(visible)
    }),
  )
})

/** Applies acts in their order, numbered as the service numbers them. @returns what each replica publishes, and the end */
function committed(acts: readonly { act: string; id: number; replica: number }[]) {
  const queues: ChatChange[][] = [[], []]
  const rows = new Map<number, { seq: number; state: 'visible' | 'hidden' | 'deleted' }>()
  let seq = 0
  for (const { act, id, replica } of acts) {
    const row = rows.get(id)
    const event_id = String(id)
    const gone: ChatChange = { action: 'deleted', event_id, last_seq: seq }
    if (act === 'store' && !row) {
      rows.set(id, { seq: ++seq, state: 'visible' })
      queues[replica]?.push(got(event_id, seq))
    } else if (act === 'show' && row?.state === 'hidden') {
      row.state = 'visible'
      queues[replica]?.push(got(event_id, row.seq, { shown_seq: ++seq }))
    } else if ((act === 'hide' && row?.state === 'visible') || (act === 'delete' && row && row.state !== 'deleted')) {
      row.state = act === 'hide' ? 'hidden' : 'deleted'
      queues[replica]?.push(gone)
    }
  }
  const visible = [...rows].flatMap(([id, { state }]) => (state === 'visible' ? [String(id)] : []))
  return { queues, visible: new Set(visible) }
}
