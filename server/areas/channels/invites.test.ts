// Invitations to use a channel, by link, e-mail and id, over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { access } from '#contract/areas/channels/access.ts'
import { invites } from '#contract/areas/channels/invites.ts'
import { history } from '#contract/areas/projects/history.ts'
import { members } from '#contract/areas/projects/members.ts'
import { newChannel } from '#server/testing/channels.ts'
import { mailServer, writtenOf } from '#server/testing/mail.ts'
import { acceptLink, inviteByLink, inviteProject, sharingPair } from '#server/testing/sharing.ts'
import { teamOf } from '#server/testing/team.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const week = 7 * 86_400_000
const look = (as: Person, channel_id: number, secret: string) =>
  world.api(invites.getForSecret, { channel_id, secret }, { as })

test('admits one project per link, once, and never returns the secret again', async () => {
  const both = await sharingPair(world)
  const { ann, bob, channelId, place } = both
  const made = await inviteByLink(world, both, 0)
  expect(made.url).toMatch(new RegExp(`/channel-invite\\?channel=${channelId}#${made.secret}$`))
  expect(made).toMatchObject({ to_project_id: null, email: null, mail: 'none' })
  expect((await look(bob, channelId, made.secret)).body).toMatchObject({
    channel_: { name: 'Main' },
    from_project_: { name: 'Ann' },
    access_type: 0,
    secret: '',
  })
  const listed = await world.api(invites.list, place, { as: ann })
  const one = await world.api(invites.get, { id: made.project_channel_invite_id }, { as: ann })
  expect(listed.body.results).toEqual([one.body])
  const stored = await world.app.db.selectFrom('channel_invites').selectAll().execute()
  const responses = JSON.stringify([
    listed.body,
    stored,
    await world.api(history.list, { project_id: ann.projectId }, { as: ann }),
  ])
  expect(responses + world.logged.join('')).not.toContain(made.secret)

  expect((await acceptLink(world, ann, channelId, made.secret)).error?.name).toBe('AlreadyShared')
  expect((await acceptLink(world, bob, channelId, made.secret)).status).toBe(200)
  expect((await acceptLink(world, bob, channelId, made.secret)).status).toBe(200)
  const late = await world.user('Late')
  expect((await acceptLink(world, late, channelId, made.secret)).error?.name).toBe('InviteRejected')
  expect((await look(late, channelId, made.secret)).error?.name).toBe('InviteRejected')
})

test('of two projects that accept one link at the same moment one gets the channel', async () => {
  const replica = await world.replica()
  for (let round = 0; round < 4; round++) {
    const both = await sharingPair(world)
    const { secret } = await inviteByLink(world, both)
    const other = await world.user('Two')
    const answers = await Promise.all([
      acceptLink(world, both.bob, both.channelId, secret),
      acceptLink(world, other, both.channelId, secret, replica),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect((await world.api(access.list, both.place, { as: both.ann })).body.results).toHaveLength(2)
  }
})

test('ends an invitation when it expires, is withdrawn or declined, and when the inviter loses the role', async () => {
  const both = await sharingPair(world)
  const { ann, bob, channelId, place } = both
  const withdrawn = await inviteByLink(world, both)
  const id = withdrawn.project_channel_invite_id
  expect((await world.api(invites.del, { id }, { as: bob })).status).toBe(403)
  expect((await world.api(invites.get, { id }, { as: bob })).status).toBe(403)
  expect((await world.api(invites.del, { id }, { as: ann })).body).toEqual({ success: true })
  expect((await world.api(invites.del, { id }, { as: ann })).status).toBe(403)
  expect((await acceptLink(world, bob, channelId, withdrawn.secret)).error?.name).toBe('InviteRejected')

  const declined = await inviteByLink(world, both)
  const no = { project_id: bob.projectId, channel_id: channelId, secret: declined.secret }
  expect((await world.api(invites.declineForSecret, no, { as: bob })).body).toEqual({ success: true })
  expect((await world.api(invites.list, place, { as: ann })).body.results).toMatchObject([{ reject: true }])
  expect((await acceptLink(world, bob, channelId, declined.secret)).error?.name).toBe('InviteRejected')

  const old = await inviteByLink(world, both)
  world.clock.advance(week)
  const [annBack, bobBack] = [await world.signIn(ann), await world.signIn(bob)]
  expect((await acceptLink(world, bobBack, channelId, old.secret)).error?.name).toBe('InviteRejected')
  expect((await world.api(invites.list, place, { as: annBack })).body.results).toEqual([])
})

test('refuses an invitation whose inviter is no longer an owner', async () => {
  const { projectId, owner, editor, stranger } = await teamOf(world)
  await world.api(members.changeAccess, { project_id: projectId, user_id: editor.id, access_type: 2 }, { as: owner })
  const channelId = await newChannel(world, owner, { projectId })
  const place = { project_id: projectId, channel_id: channelId }
  const { secret } = (await world.api(invites.addLink, { ...place, access_type: 1 }, { as: editor })).body
  await world.api(members.changeAccess, { project_id: projectId, user_id: editor.id, access_type: 1 }, { as: owner })
  expect((await acceptLink(world, stranger, channelId, secret)).error?.name).toBe('InviteRejected')
})

test('an e-mail says nothing about accounts, and a second invitation replaces the first', async () => {
  const { ann, bob, channelId, place } = await sharingPair(world)
  const send = (email: string) => world.api(invites.addByEmail, { ...place, email, access_type: 1 }, { as: ann })
  const known = (await send(bob.email.toUpperCase())).body
  const unknown = (await send('newcomer@example.com')).body
  expect(Object.keys(known)).toEqual(Object.keys(unknown))
  expect(known).toMatchObject({ to_project_id: null, mail: 'not-configured', email: bob.email })
  expect((await world.api(invites.received, { project_id: bob.projectId }, { as: bob })).body.results).toEqual([])

  const again = (await send(bob.email)).body
  expect((await look(bob, channelId, known.secret)).error?.name).toBe('InviteRejected')
  const seen = (await look(bob, channelId, again.secret)).body
  expect(seen.email).toBeNull()
  expect((await acceptLink(world, bob, channelId, again.secret)).status).toBe(200)
  const responses = JSON.stringify((await world.api(history.list, place, { as: ann })).body)
  expect(responses).toContain('n…@example.com')
  expect(responses).not.toContain('newcomer@')
})

test('refuses an unknown project, and a second invitation of a guest', async () => {
  const both = await sharingPair(world)
  const input = { ...both.place, access_type: 1 as const, to_project_external_id: 'unknown' }
  expect((await world.api(invites.addById, input, { as: both.ann })).error?.name).toBe('ProjectNotFound')
  await inviteProject(world, both, 0)
  await inviteProject(world, both, 1)
  const mine = { project_id: both.bob.projectId }
  expect((await world.api(invites.received, mine, { as: both.bob })).body.results).toMatchObject([{ access_type: 1 }])
  const { there } = both
  expect((await world.api(invites.declineForProject, there, { as: both.bob })).status).toBe(200)
  expect((await world.api(invites.acceptForProject, there, { as: both.bob })).error?.name).toBe('InviteRejected')
  await inviteProject(world, both)
  await world.api(invites.acceptForProject, there, { as: both.bob })
  expect((await inviteProject(world, both)).error?.name).toBe('AlreadyShared')
})

test('where a mail server is set, the link arrives there', async () => {
  const server = await mailServer()
  const mailing = await testApp({
    PUBLIC_URL: 'https://live.example.com',
    SMTP_URL: `smtp://relay:pass%20word@127.0.0.1:${server.port}`,
    MAIL_FROM: 'r@example.com',
  })
  try {
    const { ann, place } = await sharingPair(mailing)
    const input = { ...place, email: 'zoe@example.com', access_type: 1 } as const
    const { body } = await mailing.api(invites.addByEmail, input, { as: ann, headers: { host: 'evil.example.com' } })
    expect(body.mail).toBe('sent')
    expect(server.got.map(({ to }) => to)).toEqual([['zoe@example.com']])
    // Quoted-printable, as it travels.
    const content = writtenOf(server.got[0]?.text ?? '')
    expect(body.url).toMatch(/^https:\/\/live\.example\.com\/channel-invite\?/)
    expect(content).toContain(body.url)
  } finally {
    await mailing.close()
    await server.close()
  }
})
