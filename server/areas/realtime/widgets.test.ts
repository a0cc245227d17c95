// Widgets: the calls of the published counter in their order, what a token does not reach, and its end.
import { Centrifuge, UnauthorizedError } from 'centrifuge'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { widgets } from '#contract/areas/realtime/widgets.ts'
import type { Input } from '#contract/core/operation.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let base: string
let clients: Centrifuge[]

beforeEach(async () => {
  world = await testApp()
  world.clock.set(new Date())
  ann = await world.user()
  base = (await world.app.listen()).url
  clients = []
})
afterEach(async () => {
  for (const client of clients) client.disconnect()
  await world.close()
})

const add = async (more: Partial<Input<typeof widgets.add>> = {}, as = ann) =>
  (await world.api(widgets.add, { project_id: ann.projectId, kind: 'counter', name: 'Viewers', ...more }, { as })).body

/** Calls as the counter does: without a header, from another origin. */
async function call(path: string, query: Record<string, string>) {
  const url = `${base}/method/${path}?${new URLSearchParams({ v: '1', ...query }).toString()}`
  const answer = await fetch(url, { headers: { origin: 'https://widgets.example.com' } })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, never> }
}

/** Opens the realtime connection of a widget. */
function connect(widget: string): Centrifuge {
  const client = new Centrifuge(`${base.replace('http', 'ws')}/connection/websocket`, {
    getToken: async () => {
      const { status, body } = await call('centrifuge/auth/connect', { widget, language: 'en' })
      if (status !== 200) throw new UnauthorizedError('Refused')
      return body['access_token'] ?? ''
    },
    minReconnectDelay: 20,
    maxReconnectDelay: 50,
  })
  clients.push(client)
  client.connect()
  return client
}

async function subscribe(client: Centrifuge, channel: string, widget: string) {
  const getToken = async () => {
    const { status, body } = await call('centrifuge/auth/channel', { widget, channel_name: channel })
    if (status !== 200) throw new UnauthorizedError('Refused')
    return body['access_token'] ?? ''
  }
  const subscription = client.newSubscription(channel, channel.startsWith('$') ? { getToken } : {})
  const received: unknown[] = []
  subscription.on('publication', ({ data }) => received.push(data))
  subscription.subscribe()
  await subscription.ready(20_000)
  return received
}

test('answers the published counter: its calls in their order, its channels, its changes', async () => {
  const channel_id = await newChannel(world, ann)
  const node = someNodeOf(world)
  await node.begin(ann.projectId)
  await node.channel(ann.projectId, channel_id, 'live')
  const { template_id, token: widget } = await add({ payload: { bg: '#112233', total: false } })
  expect(template_id).toMatch(/^[\da-f]{24}$/)

  const settings = await call('integration-template/widget/get', { template_id, widget, language: 'en' })
  expect(settings.body).toEqual({ payload: { bg: '#112233', total: false }, next: null })
  expect(settings.headers.get('access-control-allow-origin')).toBe('*')
  const client = connect(widget)
  const info = await call('project/get_project_info', { widget })
  expect(info.body).toMatchObject({ data: { project_id: ann.projectId } })
  expect((await call('platforms/list', { widget, language: 'en' })).status).toBe(200)
  const project_id = String(ann.projectId)
  const status = await call('broadcast/status', { project_id, widget, language: 'en' })
  const broadcast_id = String(status.body['broadcast_id'])
  expect(broadcast_id).toMatch(/^\d+$/)
  const restreams = await call('broadcast/restreams', { broadcast_id, key: widget, widget, v: '2', language: 'en' })
  expect(restreams.body).toMatchObject({ results: [{ channel_id }] })

  const project = await subscribe(client, `project#${project_id}`, widget)
  await subscribe(client, `$broadcast:${broadcast_id}`, widget)
  const changes = await subscribe(client, `$widget_template:${template_id}`, widget)
  const change = { project_id: ann.projectId, template_id, name: 'Viewers', payload: { size: 80 } }
  const since = performance.now()
  expect((await world.api(widgets.update, change, { as: ann })).status).toBe(200)
  await eventually(() => changes.length === 1)
  expect(performance.now() - since).toBeLessThan(1_000)
  expect(changes).toEqual([{ event: 'widget-template-payload', payload: { size: 80 } }])
  await world.api(projects.update, { project_id: ann.projectId, name: 'New' }, { as: ann })
  await eventually(() => project.length > 0)
  expect(project).toEqual([{ event: 'project-update', payload: {} }])
  expect(world.logged.join('')).not.toContain(widget)
  const { body } = await world.api(widgets.list, { project_id: ann.projectId }, { as: ann })
  expect(body.results).toMatchObject([{ template_id, hint: widget.slice(-4), is_active: true }])
  expect(body.results[0]?.date_use).not.toBeNull()
  const stored = await world.app.db.selectFrom('widgets').selectAll().execute()
  expect(JSON.stringify([stored, body])).not.toContain(widget)
})

test('reads no other widget, project, channel or operation', async () => {
  const { template_id, token: widget } = await add()
  const other = await add({ name: 'Other' })
  const bob = await world.user('Bob')
  await world.join(ann, bob.projectId, 2)
  const project_id = String(bob.projectId)
  expect(Number(template_id === other.template_id)).toBe(0)
  for (const [path, query] of [
    ['integration-template/widget/get', { template_id: other.template_id }],
    ['integration-template/widget/get', { template_id: 'f'.repeat(24) }],
    ['broadcast/status', { project_id }],
    ['project/get_project_info', { project_id }],
    ['centrifuge/auth/connect', { project_id }],
    ['centrifuge/auth/channel', { channel_name: `$project_live:${project_id}` }],
    ['centrifuge/auth/channel', { channel_name: `$project_channels:${ann.projectId}` }],
    ['centrifuge/auth/channel', { channel_name: `$widget_template:${other.template_id}` }],
    ['centrifuge/auth/channel', { channel_name: '$widget_template:7' }],
    ['stream-keys', { project_id: String(ann.projectId) }],
    ['chat/key', { project_id: String(ann.projectId) }],
    ['project/list', {}],
  ] as const)
    expect([path, (await call(path, { ...query, widget })).status]).toEqual([path, 403])
})

test('refuses malformed, unknown and foreign tokens', async () => {
  const { token } = await add()
  const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
  for (const widget of ['', 'x', wrong, `${token}0`, '\0', '\uD800', ann.accessToken, token.replace('rdw_', 'rdk_')]) {
    const { status } = await call('broadcast/status', { widget })
    expect([widget, status >= 400 && status < 404]).toEqual([widget, true])
  }
  const twice = await fetch(`${base}/method/broadcast/status?widget=${token}&widget=${token}`)
  expect(twice.status).toBe(401)
})

test('a replaced token is dead within a second, also over open connections; so is that of a member who left', async () => {
  const { template_id, token } = await add()
  const client = connect(token)
  await subscribe(client, `project#${ann.projectId}`, token)
  const over = new Promise<number>((resolve) => client.on('disconnected', () => resolve(performance.now())))
  const began = performance.now()
  const { body } = await world.api(widgets.token, { project_id: ann.projectId, template_id }, { as: ann })
  expect((await call('broadcast/status', { widget: token })).status).toBe(401)
  expect((await over) - began).toBeLessThan(1_000)
  expect((await call('broadcast/status', { widget: body.token })).status).toBe(200)

  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  const his = await add({ name: 'His' }, bob)
  expect((await call('broadcast/status', { widget: his.token })).status).toBe(200)
  await world.api(members.delete, { project_id: ann.projectId, user_id: bob.id }, { as: ann })
  await world.join(bob, ann.projectId, 1)
  expect((await call('broadcast/status', { widget: his.token })).status).toBe(401)
  const listed = await world.api(widgets.list, { project_id: ann.projectId }, { as: ann })
  expect(listed.body.results.map(({ name, is_active }) => [name, is_active])).toEqual([
    ['His', false],
    ['Viewers', true],
  ])
  await world.api(widgets.remove, { project_id: ann.projectId, template_id }, { as: ann })
  expect((await call('broadcast/status', { widget: body.token })).status).toBe(401)
})

test('checks settings, and allows 50 widgets of a project', async () => {
  const as = ann
  for (const payload of [
    { bg: 'red' },
    { size: 1 },
    { channels_layout: 'grid' },
    { until: 'tomorrow' },
    { title: 'x'.repeat(81) },
  ])
    expect([
      payload,
      (
        await world.api(
          widgets.add,
          { project_id: ann.projectId, kind: 'counter', name: 'x', payload: payload as never },
          { as },
        )
      ).status,
    ]).toEqual([payload, 400])
  for (let count = 0; count < 50; count++) await add()
  const more = { project_id: ann.projectId, kind: 'badge', name: 'x' } as const
  expect((await world.api(widgets.add, more, { as })).error?.name).toBe('TooManyWidgets')
  const foreign = { project_id: (await world.user('Bob')).projectId, template_id: '0'.repeat(23) + '1' }
  expect((await world.api(widgets.token, foreign, { as })).status).toBe(403)
})
