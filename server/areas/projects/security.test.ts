// Demands for a second factor: of members by a project, of operators and of everyone by the installation.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { profile } from '#contract/areas/account/profile.ts'
import { security as account } from '#contract/areas/account/security.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { invites } from '#contract/areas/channels/invites.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { security } from '#contract/areas/projects/security.ts'
import { transaction } from '#server/db/transaction.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { mayWatch } from '#server/domain/projects/access.ts'
import { Authenticator } from '#server/testing/authenticator.ts'
import { newChannel } from '#server/testing/channels.ts'
import { mailServer } from '#server/testing/mail.ts'
import { goOnAir } from '#server/testing/nodes.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { sendNotifications } from '#server/testing/outbox.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

const origin = 'https://live.example.com'
let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp({ PUBLIC_URL: origin })
  ann = await world.user()
})
afterEach(() => world.close())

/** Adds a passkey. @returns its id */
async function addFactor(person: Person): Promise<number> {
  const { options } = (await world.api(account.beginPasskey, {}, { as: person })).body
  const input = { name: 'Key', response: new Authenticator(origin).register(options) }
  expect((await world.api(account.addPasskey, input, { as: person })).status).toBe(200)
  return (await world.api(account.get, {}, { as: person })).body.passkeys.at(-1)!.id
}
const demand = (second_factor: boolean) =>
  world.api(security.set, { project_id: ann.projectId, second_factor }, { as: ann })
const info = (person: Person) => world.api(projects.info, { project_id: ann.projectId }, { as: person })

test('a project that demands a second factor refuses members without one, until they set it up', async () => {
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  expect((await demand(true)).error?.name).toBe('FactorMissing')
  await addFactor(ann)
  expect((await world.api(security.get, { project_id: ann.projectId }, { as: bob })).body).toEqual({
    second_factor: false,
    members_without: 1,
  })
  expect((await demand(true)).status).toBe(200)

  const refused = await info(bob)
  expect([refused.status, refused.error?.name]).toEqual([403, 'SecondFactorDemanded'])
  // Also where a handler checks the role, and for realtime.
  const other = await world.api(profile.get, { project_id: ann.projectId }, { as: bob })
  expect(other.error?.name).toBe('SecondFactorDemanded')
  const sessionId = (
    await world.app.db.selectFrom('token_families').select('id').where('user_id', '=', bob.id).executeTakeFirstOrThrow()
  ).id
  expect(await mayWatch(world.services, { sessionId, projectId: ann.projectId })).toBe(false)
  // Their own project, and their account, stay open.
  expect((await world.api(projects.info, { project_id: bob.projectId }, { as: bob })).status).toBe(200)

  await addFactor(bob)
  expect((await info(bob)).status).toBe(200)
  expect(await mayWatch(world.services, { sessionId, projectId: ann.projectId })).toBe(true)
})

test('a member without a demanded factor gets no notifications of the project, learns why, and can leave', async () => {
  const mails = await mailServer()
  const mailing = await testApp({ PUBLIC_URL: origin, ...mails.settings })
  try {
    await world.close()
    world = mailing
    ann = await world.user()
    const bob = await world.user('Bob')
    const { projectId } = ann
    await world.join(bob, projectId, 1)
    const unread = async (person: Person) =>
      (await world.api(history.list, {}, { as: person })).body.results.map(({ name }) => name)
    const fail = (ref: number) =>
      transaction(world.app.db, (trx) =>
        notify(world.services, trx, {
          kind: 'channel_token_error',
          projectId,
          ref,
          params: { platform: 'Twitch', account: 'ann' },
        }),
      )
    await fail(1)
    await addFactor(ann)
    await demand(true)
    await fail(2)
    await transaction(world.app.db, (trx) =>
      notify(world.services, trx, {
        kind: 'new_sign_in',
        projectId,
        ref: 1,
        userId: bob.id,
        params: { device: 'Firefox', date: world.clock.now().toISOString() },
      }),
    )
    await sendNotifications(world)
    expect(await unread(ann)).toEqual(['channel_token_error', 'channel_token_error'])
    expect(await unread(bob)).toEqual(['new_sign_in'])
    expect(new Set(mails.got.flatMap(({ to }) => to))).toEqual(new Set([ann.email, bob.email]))
    const lacking = async () =>
      (await world.api(projects.list, {}, { as: bob })).body.results
        .filter(({ lacks_factor }) => lacks_factor)
        .map(({ project_id }) => project_id)
    expect(await lacking()).toEqual([projectId])

    await addFactor(bob)
    expect(await lacking()).toEqual([])
    expect(await unread(bob)).toEqual(['new_sign_in', 'channel_token_error', 'channel_token_error'])

    const eve = await world.user('Eve')
    await world.join(eve, projectId, 0)
    expect((await info(eve)).error?.name).toBe('SecondFactorDemanded')
    expect((await world.api(members.leave, { project_id: projectId }, { as: eve })).status).toBe(200)
    expect((await info(eve)).error?.name).toBe('Forbidden')
  } finally {
    await mails.close()
  }
})

test('operations that find the project themselves refuse members without a demanded factor', async () => {
  const bob = await world.user('Bob')
  const { projectId: project_id } = ann
  await world.join(bob, project_id, 2)
  await goOnAir(world.services, project_id)
  const { broadcast_id } = await onAirOf(world, ann)
  const channel_id = await newChannel(world, ann)
  expect((await world.api(chat.messages, { broadcast_id }, { as: bob })).status).toBe(200)
  const link = { project_id, channel_id, access_type: 1 } as const
  const { project_channel_invite_id: id } = (await world.api(invites.addLink, link, { as: ann })).body
  await addFactor(ann)
  await demand(true)
  const as = { as: bob }
  const refused = [
    await world.api(chat.messages, { broadcast_id }, as),
    await world.api(chat.watch, { project_id }, as),
    await world.api(chat.test, { project_id }, as),
    await world.api(channels.setStatus, { channel_id, status: false }, as),
    await world.api(channels.setStatus, { channel_id, status: false, project_id }, as),
    await world.api(payments.list, { project_id }, as),
    await world.api(invites.get, { id }, as),
    await world.api(invites.del, { id }, as),
  ]
  expect(refused.map(({ error }) => error?.name)).toEqual(refused.map(() => 'SecondFactorDemanded'))
})

test('the last factor stays while a project demands one', async () => {
  const [first, second] = [await addFactor(ann), await addFactor(ann)]
  await demand(true)
  const remove = (passkey_id: number) => world.api(account.removePasskey, { passkey_id }, { as: ann })
  expect((await remove(first)).status).toBe(200)
  const last = await remove(second)
  expect(last.error).toMatchObject({ name: 'FactorDemanded', msg: expect.stringContaining('Set up another one') })
  const kept = (await world.api(account.get, {}, { as: ann })).body
  expect([kept.passkeys.length, kept.recovery_codes]).toEqual([1, 10])
  await demand(false)
  expect((await remove(second)).status).toBe(200)
})

test('the installation demands one of operators, or of everyone', async () => {
  const operator = await newOperator(world)
  const set = (second_factor: 'none' | 'operators' | 'all', as = operator) =>
    world.api(settings.setSecondFactor, { second_factor, reason: 'a test' }, { as })
  expect((await set('operators')).error?.name).toBe('FactorMissing')
  const id = await addFactor(operator)
  expect((await set('operators')).status).toBe(200)
  expect((await info(ann)).status).toBe(200)
  const other = await newOperator(world)
  expect((await world.api(settings.get, {}, { as: other })).error?.name).toBe('SecondFactorDemanded')
  expect((await world.api(settings.get, {}, { as: operator })).body.second_factor).toBe('operators')
  const remove = () => world.api(account.removePasskey, { passkey_id: id }, { as: operator })
  expect((await remove()).error?.name).toBe('FactorDemanded')

  expect((await set('all')).status).toBe(200)
  expect((await info(ann)).error?.name).toBe('SecondFactorDemanded')
  await addFactor(ann)
  expect((await info(ann)).status).toBe(200)
  expect((await set('none')).status).toBe(200)
  expect((await remove()).status).toBe(200)
})
