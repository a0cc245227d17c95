import { expect, test } from 'vitest'
import type { Restream } from '#contract/entities/on-air.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { linesOf } from './channel-lines.ts'

const channel = (group_id: number, active: boolean) => ({ group_id, active }) as Channel
const restream = (id: number, channel_id: number): Restream => ({ id, status: 'live', channel_id })

test('keeps the order of channels in every state; channels that are off are listed apart', () => {
  const { on, off } = linesOf([channel(1, true), channel(2, false), channel(3, true)], [restream(9, 3), restream(8, 1)])
  expect(on.map(({ key, restream: one }) => [key, one?.id])).toEqual([
    ['1', 8],
    ['3', 9],
  ])
  expect(off.map(({ key }) => key)).toEqual(['2'])
})

test('shows a channel that still receives the stream after it is switched off or deleted', () => {
  const { on, off } = linesOf([channel(1, false)], [restream(8, 1), restream(9, 7)])
  expect(on.map(({ key }) => key)).toEqual(['1', '7'])
  expect(off).toEqual([])
})

test('keeps the place of a channel that was just switched off', () => {
  const { on, off } = linesOf([channel(1, false), channel(2, true)], [restream(8, 2)], new Set([1]))
  expect(on.map(({ key }) => key)).toEqual(['1', '2'])
  expect(off).toEqual([])
})

test('lists a channel that is on without an output', () => {
  expect(linesOf([channel(1, true)], []).on).toMatchObject([{ key: '1', restream: undefined }])
})
