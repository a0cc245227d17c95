// Invitations into a project over HTTP.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { history } from '#contract/areas/projects/history.ts'
import { invites } from '#contract/areas/projects/invites.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import { createAccount } from '#server/domain/projects/sign-up.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { newTeam, teamOf } from '#server/testing/team.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const week = 7 * 86_400_000

async function invite(as: Person, projectId: number, access_type: AccessType = 1, more: { email?: string } = {}) {
  const { body, error } = await world.api(invites.add, { project_id: projectId, access_type, ...more }, { as })
  if (error) throw new Error(error.name)
  return body
}
const list = (as: Person, projectId: number) => world.api(invites.list, { project_id: projectId }, { as })
const look = (secret: string) => world.api(invites.getForSecret, { secret })
const accept = (as: Person, secret: string, through = world.app) =>
  world.api(invites.accept, { secret }, { as, through })

test('adds one user per link, once, with the role of the link', async () => {
  const { projectId, owner, stranger } = await teamOf(world)
  const made = await invite(owner, projectId, 1)
  expect(made).toMatchObject({ access_type: 1, email: null, mail: 'none', from_user_id: owner.id })
  expect(new URL(made.url).hash).toBe(`#${made.secret}`)
  expect((await look(made.secret)).body).toMatchObject({
    access_type: 1,
    project_: { name: 'Studio', type: 1 },
    from_user_: { name: 'Ann' },
    may_sign_up: true,
  })
  expect((await accept(stranger, made.secret)).body).toEqual({ success: true, project_id: projectId })
  // The response was lost, and the browser retries.
  expect((await accept(stranger, made.secret)).body).toEqual({ success: true, project_id: projectId })
  const { body } = await world.api(projects.info, { project_id: projectId }, { as: stranger })
  expect(body.access).toEqual({ access_type: 1 })

  const late = await world.user('Late')
  expect((await accept(late, made.secret)).error?.name).toBe('InviteRejected')
  expect((await look(made.secret)).error?.name).toBe('InviteRejected')
})

test('adds one of two users that accept concurrently', async () => {
  const replica = await world.replica()
  const { projectId, owner } = await teamOf(world)
  for (let round = 0; round < 4; round++) {
    const { secret } = await invite(owner, projectId, 0)
    const [one, two] = [await world.user('One'), await world.user('Two')]
    const answers = await Promise.all([accept(one, secret), accept(two, secret, replica)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
  }
})

test('lets only owners list, create and withdraw invitations, and shows the secret once', async () => {
  const { projectId, owner, editor, viewer, stranger } = await teamOf(world)
  const { secret, project_invite_id: id } = await invite(owner, projectId)
  for (const as of [editor, viewer, stranger]) {
    expect((await list(as, projectId)).status).toBe(403)
    expect((await world.api(invites.add, { project_id: projectId, access_type: 2 }, { as })).status).toBe(403)
    expect((await world.api(invites.del, { project_id: projectId, id }, { as })).status).toBe(403)
  }
  const listed = await list(owner, projectId)
  expect(listed.body.results).toMatchObject([{ project_invite_id: id, access_type: 1, from_user_: { name: 'Ann' } }])
  expect(JSON.stringify(listed.body)).not.toContain(secret)
  const stored = await world.app.db.selectFrom('project_invites').selectAll().execute()
  expect(JSON.stringify(stored) + world.logged.join('')).not.toContain(secret)

  const other = await newTeam(world, owner, 'Other')
  expect((await world.api(invites.del, { project_id: other, id }, { as: owner })).status).toBe(403)
  expect((await world.api(invites.del, { project_id: projectId, id }, { as: owner })).body).toEqual({ success: true })
  expect((await look(secret)).error?.name).toBe('InviteRejected')
  expect((await list(owner, projectId)).body.results).toEqual([])
})

test('expires an invitation after a week', async () => {
  const { projectId, owner, stranger } = await teamOf(world)
  const { secret } = await invite(owner, projectId)
  world.clock.advance(week)
  const back = await world.signIn(owner)
  expect((await list(back, projectId)).body.results).toEqual([])
  expect((await accept(await world.signIn(stranger), secret)).error?.name).toBe('InviteRejected')
})

test('declines without an account, and ends the invitation', async () => {
  const { projectId, owner, stranger } = await teamOf(world)
  const { secret } = await invite(owner, projectId)
  expect((await world.api(invites.decline, { secret })).body).toEqual({ success: true })
  expect((await accept(stranger, secret)).error?.name).toBe('InviteRejected')
})

test('keeps the role of a member that opens a link, and leaves the invitation open', async () => {
  const { projectId, owner, viewer, stranger } = await teamOf(world)
  const { secret } = await invite(owner, projectId, 2)
  const { error } = await accept(viewer, secret)
  expect(error).toMatchObject({ name: 'AlreadyMember', data: { project_id: projectId } })
  expect((await accept(stranger, secret)).status).toBe(201)
})

test('invalidates the links of an owner that was removed or demoted', async () => {
  const { projectId, owner, editor, stranger } = await teamOf(world)
  await world.api(members.changeAccess, { project_id: projectId, user_id: editor.id, access_type: 2 }, { as: owner })
  const { secret } = await invite(editor, projectId, 2)
  await world.api(members.changeAccess, { project_id: projectId, user_id: editor.id, access_type: 0 }, { as: owner })
  expect((await accept(stranger, secret)).error?.name).toBe('InviteRejected')
})

test('replaces an earlier invitation to the same e-mail, and refuses one to a member', async () => {
  const { projectId, owner, viewer } = await teamOf(world)
  const first = await invite(owner, projectId, 0, { email: 'Zoe@Example.com' })
  const second = await invite(owner, projectId, 1, { email: ' zoe@example.com'.trim() })
  expect((await list(owner, projectId)).body.results).toMatchObject([{ email: 'zoe@example.com', access_type: 1 }])
  expect((await look(first.secret)).status).toBe(400)
  expect((await look(second.secret)).status).toBe(200)
  await expect(invite(owner, projectId, 0, { email: viewer.email })).rejects.toThrow('AlreadyMember')
  const { body } = await world.api(history.list, { project_id: projectId }, { as: viewer })
  expect(JSON.stringify(body)).toContain('z…@example.com')
  expect(JSON.stringify(body)).not.toContain('zoe@')
})

test('an invitation by e-mail links to the same page, and reports whether the e-mail was sent', async () => {
  const { projectId, owner, stranger } = await teamOf(world)
  const silent = await invite(owner, projectId, 1, { email: 'zoe@example.com' })
  expect(silent.mail).toBe('not-configured')

  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData: (stream, _, done) => void text(stream).then((content) => (mails.push(content), done())),
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  const mailing = await testApp({
    PUBLIC_URL: 'https://live.example.com',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'relaydeck@example.com',
  })
  try {
    const ann = await mailing.user('Ann')
    const input = { project_id: ann.projectId, access_type: 1, email: 'zoe@example.com' } as const
    const { body } = await mailing.api(invites.add, input, { as: ann, headers: { host: 'evil.example.com' } })
    expect(body.mail).toBe('sent')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(
      `https://live.example.com/invite#${body.secret}`,
    )
  } finally {
    await mailing.close()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
  // Any holder of the link may use it.
  expect((await accept(stranger, silent.secret)).status).toBe(201)
})

test('adds members to a personal project, but no second owner', async () => {
  const ann = await world.user('Ann')
  await expect(invite(ann, ann.projectId, 2)).rejects.toThrow('PersonalProject')
  const { secret } = await invite(ann, ann.projectId, 1)
  expect((await accept(await world.user('Eve'), secret)).status).toBe(201)
})

test('records invited, accepted, joined, withdrawn and declined in the history', async () => {
  const { projectId, owner, stranger } = await teamOf(world)
  await accept(stranger, (await invite(owner, projectId, 1)).secret)
  const { project_invite_id: id } = await invite(owner, projectId, 0)
  await world.api(invites.del, { project_id: projectId, id }, { as: owner })
  await world.api(invites.decline, { secret: (await invite(owner, projectId, 0)).secret })
  const { body } = await world.api(history.list, { project_id: projectId }, { as: owner })
  expect(body.results.map(({ action, user_ }) => `${action} ${user_?.name ?? '-'}`)).toEqual([
    'user_project_invite_decline -',
    'user_project_invite_add Ann',
    'user_project_invite_del Ann',
    'user_project_invite_add Ann',
    'user_project_add Bob',
    'user_project_invite_accept Bob',
    'user_project_invite_add Ann',
    'project_created Ann',
  ])
})

const applicant = (code: string, name: string) => ({
  email: `${name}-${code.slice(0, 8)}@example.com`.toLowerCase(),
  password: 'a-long-password',
  firstName: name,
  language: 'en' as const,
  currency: 'usd' as const,
  code,
})

test('creates one account per invitation, also where sign-up is closed', async () => {
  const closed = await testApp({ SIGN_UP: 'invite' })
  try {
    const { api, services } = closed

    const ann = await openDoor(closed)
    const { body: made } = await api(invites.add, { project_id: ann.projectId, access_type: 1 }, { as: ann })
    const askCode = async () => (await api(invites.signUp, { secret: made.secret })).body.code
    const older = await askCode()
    const code = await askCode()
    const { body: door } = await api(auth.redirectUrl, { provider: 'local', refId: code })
    expect(door.url).toContain('/auth/local/sign-up?')
    await expect(createAccount(services, applicant(older, 'Old'))).rejects.toMatchObject({ name: 'CodeRejected' })
    const { id } = await createAccount(services, applicant(code, 'New'))
    // The link returns no second sign-in code, and still adds its user.
    expect((await api(invites.signUp, { secret: made.secret })).error?.name).toBe('InviteRejected')
    await expect(createAccount(services, applicant(code, 'More'))).rejects.toMatchObject({ name: 'CodeRejected' })
    const zoe = await closed.signIn({ ...ann, id })
    expect((await api(invites.accept, { secret: made.secret }, { as: zoe })).status).toBe(201)

    const { body: next } = await api(invites.add, { project_id: ann.projectId, access_type: 1 }, { as: ann })
    const { body: waiting } = await api(invites.signUp, { secret: next.secret })
    await api(invites.del, { project_id: ann.projectId, id: next.project_invite_id }, { as: ann })
    await expect(createAccount(services, applicant(waiting.code, 'Late'))).rejects.toMatchObject({
      name: 'CodeRejected',
    })
  } finally {
    await closed.close()
  }
})

test('refuses an invitation where accounts cannot be created', async () => {
  const closed = await testApp({ SIGN_UP: 'closed' })
  try {
    const ann = await openDoor(closed)
    const { body } = await closed.api(invites.add, { project_id: ann.projectId, access_type: 1 }, { as: ann })
    expect((await closed.api(invites.getForSecret, { secret: body.secret })).body.may_sign_up).toBe(false)
    expect((await closed.api(invites.signUp, { secret: body.secret })).error?.name).toBe('SignUpClosed')
  } finally {
    await closed.close()
  }
})

/** First user of a service with closed sign-up. */
async function openDoor({ services, signIn, app }: World): Promise<Person> {
  const { id } = await createAccount(services, applicant(await issueCode(services, app.db, 'owner'), 'Ann'))
  const { last_project_id } = await app.db
    .selectFrom('users')
    .select('last_project_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const projectId = last_project_id ?? 0
  return signIn({ id, email: '', password: '', projectId, accessToken: '', refreshToken: '' })
}
