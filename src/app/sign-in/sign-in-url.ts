// Separate from the page: schemas and contract load only when the user is about to sign in.
import type * as z from 'zod/mini'
import { auth, type Provider } from '#contract/areas/account/auth.ts'
import { call } from '#src/api/call.ts'
import { paths } from '#src/lib/paths.ts'
import { keepReferral } from './join-referral.ts'

/** Requests the URL of the provider's sign-in page from the service. */
export async function signInUrl(
  provider: z.output<typeof Provider>,
  state: string,
  invitation?: string,
): Promise<string> {
  const redirect = location.origin + paths.callback()
  keepReferral()
  const { url } = await call(auth.redirectUrl, { provider, state, redirect, refId: invitation })
  return url
}
