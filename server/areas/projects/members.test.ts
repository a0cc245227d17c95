// Rights of project members over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { history } from '#contract/areas/projects/history.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import { newTeam, teamOf } from '#server/testing/team.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const byNumber = (a: number, b: number) => a - b
const roleOf = async (as: Person, projectId: number): Promise<AccessType | null> =>
  (await world.api(projects.list, { limit: 100 }, { as })).body.results.find((row) => row.project_id === projectId)
    ?.access_type ?? null
const change = (as: Person, projectId: number, who: Person, access_type: AccessType, through = world.app) =>
  world.api(members.changeAccess, { project_id: projectId, user_id: who.id, access_type }, { as, through })
const remove = (as: Person, projectId: number, who: Person) =>
  world.api(members.del, { project_id: projectId, user_id: who.id }, { as })
const leave = (as: Person, projectId: number) => world.api(members.leave, { project_id: projectId }, { as })
const handOver = (as: Person, projectId: number, who: Person) =>
  world.api(members.transferOwner, { project_id: projectId, user_id: who.id }, { as })

test('lets only owners change roles, and hides the project from strangers', async () => {
  const { projectId, owner, editor, viewer, stranger } = await teamOf(world)
  expect((await change(owner, projectId, viewer, 1)).body).toEqual({ success: true })
  expect(await roleOf(viewer, projectId)).toBe(1)
  for (const as of [editor, viewer]) expect((await change(as, projectId, as, 2)).status).toBe(403)

  const here = await change(stranger, projectId, viewer, 2)
  const nowhere = await change(stranger, 2_000_000_000, viewer, 2)
  expect(here.status).toBe(403)
  expect(here.error).toEqual(nowhere.error)
  expect((await change(owner, projectId, stranger, 1)).error?.name).toBe('NotMember')
})

test('refuses the next call of a removed member on every device', async () => {
  const { projectId, owner, editor } = await teamOf(world)
  const phone = await world.signIn(editor)
  const look = (as: Person) => world.api(channels.search, { project_id: projectId }, { as })
  await world.api(projects.select, { id: projectId }, { as: editor })
  expect((await look(phone)).status).toBe(200)
  await remove(owner, projectId, editor)
  expect((await look(editor)).status).toBe(403)
  expect((await look(phone)).status).toBe(403)
  expect(await roleOf(editor, projectId)).toBeNull()
  const { last_project_id } = await world.app.db
    .selectFrom('users')
    .select('last_project_id')
    .where('id', '=', editor.id)
    .executeTakeFirstOrThrow()
  expect(last_project_id).toBeNull()
  // The later path of the same operation: the member is already removed.
  const again = await world.api(members.delete, { project_id: projectId, user_id: editor.id }, { as: owner })
  expect(again.error?.name).toBe('NotMember')
})

test('refuses to remove, demote or let go of the last owner', async () => {
  const { projectId, owner, editor } = await teamOf(world)
  const tries = [leave(owner, projectId), remove(owner, projectId, owner), change(owner, projectId, owner, 1)]
  for (const answer of await Promise.all(tries)) expect(answer.error?.name).toBe('LastOwner')
  await change(owner, projectId, editor, 2)
  expect((await leave(owner, projectId)).status).toBe(200)
  expect((await leave(editor, projectId)).error?.name).toBe('LastOwner')
})

test('handing over makes another member the owner, and the former owner an editor', async () => {
  const { projectId, owner, viewer, stranger } = await teamOf(world)
  expect((await handOver(owner, projectId, owner)).error?.name).toBe('NotAnother')
  expect((await handOver(owner, projectId, stranger)).error?.name).toBe('NotMember')
  expect((await handOver(owner, projectId, viewer)).status).toBe(200)
  expect([await roleOf(viewer, projectId), await roleOf(owner, projectId)]).toEqual([2, 1])
  expect((await handOver(owner, projectId, viewer)).status).toBe(403)
})

test('keeps a personal project with its owner', async () => {
  const ann = await world.user('Ann')
  const eve = await world.user('Eve')
  await world.join(eve, ann.projectId, 1)
  expect((await change(ann, ann.projectId, eve, 2)).error?.name).toBe('PersonalProject')
  expect((await handOver(ann, ann.projectId, eve)).error?.name).toBe('PersonalProject')
  expect((await leave(ann, ann.projectId)).error?.name).toBe('PersonalProject')
  expect((await leave(eve, ann.projectId)).status).toBe(200)
})

test('leaves one of two owners that demote or remove each other concurrently', async () => {
  const replica = await world.replica()
  const ann = await world.user('Ann')
  const eve = await world.user('Eve')
  const projectId = await newTeam(world, ann)
  await world.join(eve, projectId, 2)
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all([change(ann, projectId, eve, 1), change(eve, projectId, ann, 1, replica)])
    const roles = [await roleOf(ann, projectId), await roleOf(eve, projectId)]
    expect(new Set(roles)).toEqual(new Set([1, 2]))
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 403])
    const [owner, other] = roles[0] === 2 ? [ann, eve] : [eve, ann]
    expect((await change(owner!, projectId, other!, 2)).status).toBe(200)
  }
  const left = await Promise.all([leave(ann, projectId), leave(eve, projectId)])
  expect(left.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 400])
})

test('records every change with actor, member, old role and new role', async () => {
  const { projectId, owner, editor, viewer } = await teamOf(world)
  await change(owner, projectId, viewer, 1)
  await change(owner, projectId, viewer, 1)
  await remove(owner, projectId, viewer)
  await leave(editor, projectId)
  await world.api(projects.update, { project_id: projectId, name: '  Studio   ' }, { as: owner })
  await world.api(projects.update, { project_id: projectId, name: 'New studio' }, { as: owner })
  const { body } = await world.api(history.list, { project_id: projectId }, { as: owner })
  expect(body.results.map(({ action, user_id, details }) => [action, user_id, details])).toEqual([
    ['project_changed', owner.id, { name: 'New studio', was: 'Studio' }],
    ['user_project_del', editor.id, { user_id: editor.id, name: 'Eve', from: 1 }],
    ['user_project_del', owner.id, { user_id: viewer.id, name: 'Vic', from: 1 }],
    ['user_project_change', owner.id, { user_id: viewer.id, name: 'Vic', from: 0, to: 1 }],
    ['project_created', owner.id, { name: 'Studio' }],
  ])
})
