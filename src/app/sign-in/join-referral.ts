// Referral code of a sign-up link: kept while the browser signs in, then sent once.
import { referrals } from '#contract/areas/billing/referrals.ts'
import { call } from '#src/api/call.ts'
import { recall, remember } from '#src/lib/storage.ts'

const name = 'ref'

/** Keeps the code of the current URL (`/sign-in?ref=…`). */
export function keepReferral(): void {
  const code = new URLSearchParams(location.search).get('ref')
  if (code) remember(name, code)
}

/** Sends the kept code. The service accepts it for a new account only, so a refusal is not shown. */
export async function joinReferral(): Promise<void> {
  const code = recall(name)
  if (code === null) return
  remember(name, null)
  await call(referrals.join, { code }).catch(() => undefined)
}
