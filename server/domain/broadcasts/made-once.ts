// Makes a broadcast at a platform at most once, without an idempotency key: the mark of a request is stored before it, the claim is
// taken again right before it, and a later run searches for the mark first (decision 0100).
import { accountKinds } from '#contract/platforms/platforms.ts'
import type { Reading, Services } from '#server/core/context.ts'
import type { BroadcastMark, Healing } from '#server/core/platform-adapter.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import type { AccountRow } from '#server/domain/platforms/accounts-store.ts'
import { countUnitsLeft } from '#server/domain/platforms/quota.ts'

/** The broadcast is not wanted any more, or another run makes it. */
export class NotMineError extends Error {
  override readonly name = 'NotMineError'
}

/**
 * Duration of a claim. A later run searches for what an earlier one made: listings of YouTube may be this late. Milliseconds.
 */
export const claimMs = 60_000
/** Least units of the quota that are left, where the platform has one. */
const unitsMin = 300

/** Returns whether the quota of the platform of an account has units left for a broadcast. */
export const hasUnits = async (
  services: Reading<Services>,
  { platform }: Pick<AccountRow, 'platform'>,
): Promise<boolean> =>
  !services.platforms[platform].unitsOf || (await countUnitsLeft(services, accountKinds[platform].type)) >= unitsMin

interface Marked {
  readonly title: string
  readonly start_at: string
}

/** One run that makes a broadcast. @typeParam R its row */
export interface Making<R extends Marked> {
  /** Calls the platform, if this run still has the job. */
  ask<T>(call: (api: ProviderApi) => Promise<T>): Promise<T>
  /** Claims the row again, if the broadcast is still wanted. @throws NotMineError */
  claimAnew(row: R): Promise<R>
  /** Stores the id of a broadcast that exists. @throws NotMineError when another run looks for it */
  recordMade(row: R, id: string): Promise<R>
}

const markOf = ({ title, start_at }: Marked): BroadcastMark => ({ title, startAt: start_at })

/** Sends the request of a row whose mark is stored. @returns the row with the broadcast */
export async function insertMarked<R extends Marked>(
  making: Making<R>,
  row: R,
  insert: (api: ProviderApi, mark: BroadcastMark) => Promise<string>,
): Promise<R> {
  let claim = row
  const id = await making.ask(async (api) => {
    // The last thing before the request: a run that was held up longer than its claim sends none.
    claim = await making.claimAnew(claim)
    return await insert(api, markOf(claim))
  })
  return await making.recordMade(claim, id)
}

/** Looks for the broadcast of an earlier request. @returns the row with the broadcast; null: there is none */
export async function findMarked<R extends Marked>(
  making: Making<R>,
  row: R,
  { findMade }: Pick<Healing, 'findMade'>,
): Promise<R | null> {
  const made = await making.ask((api) => findMade(api, markOf(row)))
  return made === null ? null : await making.recordMade(row, made)
}
