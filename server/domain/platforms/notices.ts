// Notifies editors when a platform refuses an account, or its chat; once a day for each account.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { listProjectIds } from '#server/domain/notifications/store.ts'
import { type AccountRow, listAccountProjects } from './accounts-store.ts'

/**
 * Notifies the editors of the projects with channels of an account; without such channels, the person that connected it.
 * Call it in the transaction that marks the account.
 * @param kind default: the platform no longer accepts the account
 */
export async function noticeAccount(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  account: AccountRow,
  kind: 'channel_token_error' | 'channel_api_update_chat_error' = 'channel_token_error',
): Promise<void> {
  const { id, user_id: userId, platform } = account
  const ref = `${id}.${iso(services.clock.now()).slice(0, 10)}`
  const fact = { kind, ref, params: { platform, account: account.name } } as const
  const projects = await listAccountProjects(trx, id)
  for (const projectId of projects) await notify(services, trx, { ...fact, projectId })
  if (projects.length > 0) return
  const [projectId] = await listProjectIds(trx, userId)
  if (projectId !== undefined) await notify(services, trx, { ...fact, projectId, userId })
}
