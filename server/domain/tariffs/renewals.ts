// Switch of automatic renewal of a line. Renewals are charged elsewhere.
import type { LineName } from '#contract/entities/plan.ts'
import type { Clock } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { insertRenewal, removeRenewal } from './renewals-store.ts'
import { readState } from './subscriptions.ts'
import { isBought } from './subscriptions-rules.ts'
import type { Slots, Sold } from './subscriptions-slots.ts'

/**
 * Switches the automatic renewal of a line. It goes off by itself when the line has no bought plan any more.
 * @throws RuleError `NothingToRenew` when no plan is bought
 */
export async function setRenewal(
  trx: Trx,
  clock: Clock,
  { projectId, line, isOn }: { readonly projectId: number; readonly line: LineName; readonly isOn: boolean },
): Promise<void> {
  await lockWallet(trx, projectId)
  if (!isOn) return await removeRenewal(trx, projectId, line)
  const { slots, now } = await readState(trx, clock, projectId, line)
  const { current }: Slots<Sold> = slots
  if (!isBought(current)) throw new RuleError('NothingToRenew', 'No plan is bought that could be renewed')
  await insertRenewal(trx, projectId, line, now)
}
