// Notifies editors when a platform refuses a chat to an account: once a day for each account, and once for each cause.
import type { ChatPlace, ChatReason } from '#server/core/chat.ts'
import type { Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { findAccount } from '#server/domain/platforms/accounts-store.ts'
import { noticeAccount } from '#server/domain/platforms/notices.ts'

/** Reasons that are about the account. Connecting it again ends none of the others, for example a missing live chat. */
const ofAccount: ReadonlySet<ChatReason> = new Set<ChatReason>(['reconnect', 'scope', 'forbidden'])

/**
 * Notifies editors of a refused reader, if it has an account and the reason is about that account. An account that no longer
 * works was marked, and notified of, by the call that failed (`noticeAccount`).
 */
export async function noticeRefused(
  services: Pick<Services, 'db' | 'clock'>,
  { accountId }: Pick<ChatPlace, 'accountId'>,
  reason: ChatReason,
): Promise<void> {
  if (accountId === null || !ofAccount.has(reason)) return
  await transaction(services.db, async (trx) => {
    const account = await findAccount(trx, accountId)
    const isMarked = reason === 'reconnect' && account?.status === 0
    if (account && !isMarked) await noticeAccount(services, trx, account, 'channel_api_update_chat_error')
  })
}
