// The known abilities of a chat's caller: which changes reach them.
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { keyOf } from '#src/api/query.ts'
import { configureApi } from '#src/api/runtime.ts'
import { type Capabilities, changeKnown } from './use-chat.ts'

test('ignores the star of an earlier broadcast', () => {
  const runtime = { baseUrl: 'http://h', realtimeUrl: 'ws://h', language: () => 'en' as const }
  configureApi({ ...runtime, session: {} as never, client: {} as never })
  const queries = new QueryClient()
  const by = { project_id: 7 }
  const key = keyOf(chat.capabilities, by)
  const known: Capabilities = {
    broadcast_id: 2,
    on_air: true,
    may_write: true,
    hold_back: 0,
    starred: null,
    star_seq: 0,
    results: [],
  }
  queries.setQueryData(key, known)
  changeKnown(queries, by, 1, { starred: 'e1', star_seq: 7 })
  expect(queries.getQueryData(key)).toEqual(known)
  changeKnown(queries, by, 2, { starred: 'e2', star_seq: 1 })
  expect(queries.getQueryData(key)).toEqual({ ...known, starred: 'e2', star_seq: 1 })
})
