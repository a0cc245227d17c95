// Creates sessions without the sign-in form.
import type { Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { startSession, type TokenPair } from '#server/domain/account/tokens.ts'

export type { TokenPair }

/** Starts a session of an account. */
export function newSession(services: Services, userId: number, userAgent: string): Promise<TokenPair> {
  const device = { app: 'site', fingerprint: '', userAgent, address: '127.0.0.1' } as const
  return transaction(services.db, (trx) => startSession(services, trx, userId, device))
}
