import { expect, test } from 'vitest'
import { messageEvent } from './testing/messages.ts'
import { deletedFilter } from './deleted-filter.ts'

test('a message that arrives after its deletion is dropped, and the oldest deletions are forgotten', () => {
  const isWanted = deletedFilter(2)
  expect(['1', '2', '3'].map((id) => isWanted({ is: 'deleted', id }))).toEqual([true, true, true])
  expect(['1', '2', '3', '4'].map((id) => isWanted(messageEvent(id)))).toEqual([true, false, false, true])
})
