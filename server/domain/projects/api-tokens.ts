// API tokens of a user: create, list, revoke. A token is a token family with a grant: it ends as sessions do.
import type { Scope } from '#contract/core/scopes.ts'
import { newApiToken } from '#server/core/api-token-text.ts'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from '#server/domain/account/audit.ts'
import { proveFresh } from '#server/domain/account/credentials.ts'
import { createScopedFamily, endFamilies } from '#server/domain/account/families.ts'
import { lockUser } from '#server/domain/account/store.ts'
import { hasOperator } from '#server/domain/installation/store.ts'
import {
  type ApiTokenRow,
  countApiTokens,
  findApiTokenFamily,
  insertApiToken,
  listApiTokens,
} from './api-tokens-store.ts'
import { authorizeMember } from './access.ts'

/** Living tokens of a user. */
const tokensMax = 100

/** A new token: `projectId` null for all projects of the user. */
export interface NewApiToken {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly projectId: number | null
  readonly days: number
}

/**
 * Creates a token.
 * @returns its row, and the token, which is stored nowhere
 * @throws RuleError `SignInAgain`, `TooManyApiTokens`
 * @throws ForbiddenError for a project that is not the user's, and for scopes of operators: of other users, and in one project
 */
export async function createApiToken(
  services: Services,
  user: User,
  { name, scopes, projectId, days }: NewApiToken,
): Promise<{ readonly row: ApiTokenRow; readonly token: string }> {
  const { db, clock } = services
  await proveFresh(services, user)
  if (projectId !== null) await authorizeMember(services, user, projectId, 'viewer')
  if (scopes.some((scope) => scope.startsWith('operator:'))) {
    if (projectId !== null) throw new ForbiddenError('Forbidden_project')
    if (!(await hasOperator(db, user.id))) throw new ForbiddenError()
  }
  const token = newApiToken()
  const now = clock.now()
  const row = await transaction(db, async (trx) => {
    await lockUser(trx, user.id)
    if ((await countApiTokens(trx, user.id, iso(now))) >= tokensMax)
      throw new RuleError('TooManyApiTokens', { max: tokensMax })
    const life = { from: now, to: later(now, days * dayMs) }
    const familyId = await createScopedFamily(trx, { userId: user.id, projectId, scopes, ...life })
    const { id } = await insertApiToken(trx, { family_id: familyId, hash: hashOf(token), name, hint: token.slice(-4) })
    await audit(services, trx, 'account.api-token-created', { userId: user.id, familyId })
    return (await listApiTokens(trx, user.id, iso(now))).find((one) => one.id === id)
  })
  if (!row) throw new Error('The new API token is not listed')
  return { row, token }
}

/** Revokes a token. @throws RuleError `ApiTokenNotFound`, also for tokens of other users and revoked ones */
export const revokeApiToken = (services: Services, userId: number, id: number): Promise<void> =>
  transaction(services.db, async (trx) => {
    await lockUser(trx, userId)
    const found = await findApiTokenFamily(trx, userId, id, iso(services.clock.now()))
    if (!found) throw new RuleError('ApiTokenNotFound')
    await endFamilies(services, trx, [found.family_id], 'closed')
    await audit(services, trx, 'account.api-token-revoked', { userId, familyId: found.family_id })
  })
