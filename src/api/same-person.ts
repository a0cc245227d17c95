import type { QueryClient } from '@tanstack/react-query'
import { forgetProjects } from '#src/stores/selected-project.ts'
import { call } from './call.ts'
import { keyOf } from './query.ts'

/** Returns whether the signed-in user owns the data of this cache. False where the server does not name the user. */
export async function isSamePerson(queries: QueryClient): Promise<boolean> {
  // Loaded on demand, as in the account menu: a first view does not need it.
  const { auth } = await import('#contract/areas/account/auth.ts')
  const before = queries.getQueryData<{ id: number }>(keyOf(auth.me, {}))
  const now = await call(auth.me, {}).catch(() => null)
  return before !== undefined && before.id === now?.id
}

/** Opens the home page of the user that signed in, not a project of the previous one. */
export function leaveToHome(): void {
  forgetProjects()
  location.assign('/')
}
