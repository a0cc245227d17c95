// Audit log of accounts and sessions. Never holds a token, a password or the address of a page.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { insertAudit } from './store.ts'

/** Appends an event to the audit log, in the transaction that it reports. */
export function audit(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: `${'session' | 'account'}.${string}`,
  { userId, familyId }: { readonly userId?: number; readonly familyId?: number },
): Promise<void> {
  return insertAudit(db, {
    date_create: iso(clock.now()),
    kind,
    user_id: userId ?? null,
    family_id: familyId ?? null,
    details: null,
  })
}
