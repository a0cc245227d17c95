// Apart from the page: what a call needs (schemas, the contract) comes when somebody is about to sign in.
import type * as z from 'zod/mini'
import { auth, type Provider } from '#contract/areas/account/auth.ts'
import { call } from '#src/api/call.ts'
import { paths } from '#src/lib/paths.ts'

/** Asks the service where to sign in. */
export async function signInUrl(
  provider: z.output<typeof Provider>,
  state: string,
  invitation?: string,
): Promise<string> {
  const redirect = location.origin + paths.callback()
  const { url } = await call(auth.redirectUrl, { provider, state, redirect, refId: invitation })
  return url
}
