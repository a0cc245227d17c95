// What somebody may have to look into later: who, what, when. Never a token, a password or an address of a page.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Db, Trx } from '#server/db/open.ts'

/** Keeps a fact. */
export async function audit(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: `${'session' | 'account'}.${string}`,
  who: { readonly userId?: number; readonly familyId?: number },
): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      date_create: iso(clock.now()),
      kind,
      user_id: who.userId ?? null,
      family_id: who.familyId ?? null,
      details: null,
    })
    .execute()
}
