// Demands for a second factor: a project demands one of its members, the installation of operators or of everyone.
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from '#server/domain/account/audit.ts'
import {
  countMembersWithoutFactor,
  findProjectDemand,
  updateProjectDemand,
} from '#server/domain/account/factors-store.ts'
import { hasFactor } from '#server/domain/account/second-step.ts'
import { lockUser } from '#server/domain/account/store.ts'

/** Returns the demand of a project, and how many members have no second factor. */
export async function demandOfProject(db: ReadDb, projectId: number) {
  return {
    isDemanded: await findProjectDemand(db, projectId),
    without: await countMembersWithoutFactor(db, projectId),
  }
}

/** Sets the demand of a project. @throws RuleError `FactorMissing`: the caller would lock themselves out */
export const setProjectDemand = (
  services: Services,
  user: User,
  projectId: number,
  isDemanded: boolean,
): Promise<void> =>
  transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    if (isDemanded && !(await hasFactor(trx, user.id))) throw new RuleError('FactorMissing')
    await updateProjectDemand(trx, projectId, isDemanded)
    await audit(services, trx, isDemanded ? 'account.factor-demanded' : 'account.factor-not-demanded', {
      userId: user.id,
      familyId: user.sessionId,
    })
  })
