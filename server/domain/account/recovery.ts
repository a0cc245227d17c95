// A way back in for somebody who has forgotten the password: a link that sets a new one, once, within an hour.
import { later, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { normalEmail } from './accounts.ts'
import { audit } from './audit.ts'
import { isGoodCode, issueCode, redeemCode } from './codes.ts'
import { hashPassword } from './passwords.ts'
import { holdPerson } from './people.ts'
import { endOthers } from './sessions.ts'

/** Whoever asks again and again fills nobody's mailbox. */
const againMs = 60_000

/**
 * Makes the code of the link; an older one is worth nothing any more.
 * @param patience false for whoever runs the service and gets the link at once
 * @returns the code, and the address as it is kept: what was typed may only look like it. Null: nobody has this e-mail, or a
 *   link was made less than a minute ago
 */
export function issueRecovery(
  services: Services,
  email: string,
  patience = true,
): Promise<{ readonly code: string; readonly to: string } | null> {
  const { db, clock } = services
  return transaction(db, async (trx) => {
    const to = normalEmail(email)
    const user = await trx.selectFrom('users').select('id').where('email', '=', to).forUpdate().executeTakeFirst()
    if (!user) return null
    const mine = { user_id: user.id, kind: 'recovery' } as const
    const last = await trx
      .selectFrom('codes')
      .select('id')
      .where('user_id', '=', mine.user_id)
      .where('kind', '=', mine.kind)
      .where('date_create', '>', iso(later(clock.now(), -againMs)))
      .executeTakeFirst()
    if (last && patience) return null
    await trx
      .deleteFrom('codes')
      .where('user_id', '=', mine.user_id)
      .where('kind', '=', mine.kind)
      .where('date_use', 'is', null)
      .execute()
    await audit(services, trx, 'account.recovery-asked', { userId: user.id })
    return { code: await issueCode(services, trx, mine.kind, { userId: user.id }), to }
  })
}

/** Whether a link would be taken now. */
export const mayRecover = (services: Services, code: string): Promise<boolean> =>
  isGoodCode(services, services.db, 'recovery', code)

/**
 * Sets a new password by the code of a link, and ends every session: whoever has the old password shall not stay.
 * @throws RuleError `CodeRejected`
 */
export async function recover(services: Services, code: string, password: string): Promise<void> {
  const rejected = () => new RuleError('CodeRejected', 'This link was used, or it is too old')
  // Hashing is work: not for codes that nobody was given.
  if (!(await mayRecover(services, code))) throw rejected()
  const password_hash = await hashPassword(password)
  await transaction(services.db, async (trx) => {
    const id = (await redeemCode(services, trx, 'recovery', code))?.user_id
    if (id === null || id === undefined) throw rejected()
    await holdPerson(trx, id)
    await trx.updateTable('users').set({ password_hash }).where('id', '=', id).execute()
    await endOthers(services, trx, { id }, 'password')
    await audit(services, trx, 'account.recovered', { userId: id })
  })
  services.realtime.recheck()
}
