// Notifications of refused chats.
import { expect, test } from 'vitest'
import { noticeRefused } from './notices.ts'
import type { ChatReason } from '#server/core/chat.ts'
import { upsertAccount } from '#server/domain/platforms/accounts-store.ts'
import { transaction } from '#server/db/transaction.ts'
import { testApp } from '#server/testing/test-app.ts'

test('editors are notified once a day for each account, and only of reasons that are about the account', async () => {
  const world = await testApp()
  const { services, clock } = world
  const ann = await world.user()
  const account = { platform: 'twitch', name: 'Ann', avatar: '', tokens_sealed: 'none', scopes: null } as const
  const [one, two] = await transaction(services.db, async (trx) => {
    const add = (external_id: string) =>
      upsertAccount(trx, clock.now().toISOString(), { ...account, user_id: ann.id, external_id })
    return [(await add('1')).id, (await add('2')).id]
  })
  const refuse = (accountId: number | null, ...reasons: ChatReason[]) =>
    Promise.all(reasons.map((reason) => noticeRefused(services, { accountId }, reason)))
  const count = async () => {
    const rows = await services.db.selectFrom('notifications').select(['kind', 'user_id']).execute()
    expect(rows.every(({ kind, user_id }) => kind === 'channel_api_update_chat_error' && user_id === ann.id)).toBe(true)
    return rows.length
  }

  await refuse(one, 'no_chat', 'page', 'setup', 'quota', 'lost', 'account')
  await refuse(null, 'reconnect')
  await refuse(999, 'reconnect')
  expect(await count()).toBe(0)
  await refuse(one, 'scope')
  await refuse(one, 'scope', 'reconnect', 'forbidden')
  expect(await count()).toBe(1)
  await refuse(two, 'scope')
  expect(await count()).toBe(2)
  clock.advance(86_400_000)
  await refuse(one, 'scope')
  expect(await count()).toBe(3)
  // The call that found the token revoked marks the account and notifies of it: one cause, one notification.
  clock.advance(86_400_000)
  await services.db.updateTable('platform_accounts').set({ status: 0 }).where('id', '=', one).execute()
  await refuse(one, 'reconnect')
  expect(await count()).toBe(3)
  await world.close()
})
