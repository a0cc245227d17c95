import type { QueryClient } from '@tanstack/react-query'
import { call } from './call.ts'
import { keyOf } from './query.ts'

/** Is the person who is signed in now the one whose data this cache holds? No, where the server does not say who it is. */
export async function isSamePerson(queries: QueryClient): Promise<boolean> {
  // On demand, as the account menu has it: a first view does without it.
  const { auth } = await import('#contract/areas/account/auth.ts')
  const before = queries.getQueryData<{ id: number }>(keyOf(auth.me, {}))
  const now = await call(auth.me, {}).catch(() => null)
  return before !== undefined && before.id === now?.id
}
