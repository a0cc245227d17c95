import { expect, test } from 'vitest'
import { messageEvent } from './testing/messages.ts'
import { noDeleted } from './undeleted.ts'

test('a message that arrives after its deletion is dropped, and the oldest deletions are forgotten', () => {
  const isWanted = noDeleted(2)
  expect(['1', '2', '3'].map((id) => isWanted({ is: 'deleted', id }))).toEqual([true, true, true])
  expect(['1', '2', '3', '4'].map((id) => isWanted(messageEvent(id)))).toEqual([true, false, false, true])
})
