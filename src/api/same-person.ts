import type { QueryClient } from '@tanstack/react-query'
import { auth } from '#contract/areas/account/auth.ts'
import { call } from './call.ts'
import { keyOf } from './query.ts'

/** Is the person who is signed in now the one whose data this cache holds? No, where the server does not say who it is. */
export async function isSamePerson(queries: QueryClient): Promise<boolean> {
  const before = queries.getQueryData<{ id: number }>(keyOf(auth.me, {}))
  const now = await call(auth.me, {}).catch(() => null)
  return before !== undefined && before.id === now?.id
}
