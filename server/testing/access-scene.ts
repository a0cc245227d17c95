// Test scene for access rights: a project with a user in each role, and one of every object that operations refer to.
import { randomUUID } from 'node:crypto'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { invites as channelInvites } from '#contract/areas/channels/invites.ts'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { invites } from '#contract/areas/projects/invites.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { widgets } from '#contract/areas/realtime/widgets.ts'
import { describe, type JsonSchema } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { transaction } from '#server/db/transaction.ts'
import { handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { createPersonalProject } from '#server/domain/projects/projects.ts'
import { share, someAddress, someKey, upgrade } from './channels.ts'
import { someFile } from './on-air.ts'
import { someFilm } from './schedules.ts'
import { somePicture } from './pictures.ts'
import { planWithTeams } from './team.ts'
import { newOperator, type Person, type World } from './test-app.ts'

/**
 * Kinds of callers. `guest`: owner of another project, with editor access to the channel of this one. `operator`: operator
 * of the installation, and no member.
 */
export const callers = ['anonymous', 'ended', 'stranger', 'viewer', 'editor', 'owner', 'guest', 'operator'] as const
export type Caller = (typeof callers)[number]

/** Users, the same in all scenes. */
export interface Cast {
  readonly stranger: Person
  readonly viewer: Person
  readonly editor: Person
  readonly owner: Person
  readonly guest: Person
  readonly operator: Person
  /** Access token of a user that has signed out. */
  readonly ended: string
}

/** Signs up the users of a cast. */
export async function newUsers(world: World): Promise<Omit<Cast, 'ended'>> {
  return {
    stranger: await world.user('Stranger'),
    viewer: await world.user('Viewer'),
    editor: await world.user('Editor'),
    owner: await world.user('Owner'),
    guest: await world.user('Guest'),
    operator: await newOperator(world),
  }
}

/** Objects of a project, by the names of the parameters that refer to them. */
export interface Scene {
  readonly tokens: Readonly<Partial<Record<Caller, string>>>
  values(caller: Caller): Readonly<Record<string, unknown>>
}

/** Creates a new project with the same users, a channel, a broadcast, a pull key and a transcoder. */
export async function newScene(world: World, cast: Cast, seq: number): Promise<Scene> {
  const { app, api, services, clock } = world
  const { owner, editor, viewer, guest } = cast
  const project = await transaction(app.db, (trx) =>
    createPersonalProject(trx, clock, { id: owner.id, firstName: 'Owner', currency: 'usd' }),
  )
  await world.join(editor, project, 1)
  await world.join(viewer, project, 0)
  const signedIn = await signInAll(world, cast)
  // Operations without a project use the selected one.
  await api(projects.select, { id: project }, { as: signedIn.viewer })
  const as = signedIn.owner
  // A tariff with all features.
  await upgrade(world, { ...as, projectId: project }, planWithTeams)
  const channel = await api(
    addChannel.any,
    { project_id: project, type: 'youtube', name: 'Channel', rtmp_url: someAddress, stream_key: `first-${someKey}` },
    { as },
  )
  const srt = await api(
    addChannel.srt,
    { project_id: project, name: 'SRT', ingress_url: 'srt://first.example.com:9000' },
    { as },
  )
  for (const one of [channel, srt]) await share(world, one.body.channel_id, guest.projectId, 1)
  await handleEvent(services, 'node', seq, {
    type: 'source-began',
    projectId: project,
    at: clock.now().getTime(),
    encoder: 'test',
    address: '192.0.2.1',
  })
  await handleEvent(services, 'recorder', seq, {
    type: 'recording',
    projectId: project,
    at: clock.now().getTime(),
    recording: someFile(project, clock.now().getTime()),
  })
  const recording_id = await recordingOf(app.db, project)
  const { id: broadcast_id } = await app.db
    .selectFrom('broadcasts')
    .select('id')
    .where('project_id', '=', project)
    .executeTakeFirstOrThrow()
  const { id: event_id } = await app.db
    .selectFrom('broadcast_events')
    .select('id')
    .where('broadcast_id', '=', broadcast_id)
    .executeTakeFirstOrThrow()
  await api(pullKeys.create, { project_id: project, transport: 'hls' }, { as })
  const key = (await api(pullKeys.list, { project_id: project }, { as })).body.results[0]?.uuid
  const transcoder = await api(transcoders.add, { project_id: project, name: 'Half', videoCodec: 'h264' }, { as })
  const media = await api(mediaFiles.upload, { project_id: project, name: 'Pause', file: somePicture() }, { as })
  const invite = await api(invites.add, { project_id: project, access_type: 0 }, { as })
  const ofChannel = { project_id: project, channel_id: channel.body.channel_id, access_type: 0 } as const
  const channelInvite = await api(channelInvites.addLink, ofChannel, { as })
  const webhook = await api(webhooks.add, { project_id: project, url: 'https://example.com/hook' }, { as })
  const { film, schedule_id } = await newSchedule(world, project, as)
  const widget = await api(widgets.add, { project_id: project, kind: 'counter', name: 'Viewers' }, { as })
  const { id: payment_id } = await insertPayment(app.db, project, clock.now().toISOString())
  const values = {
    media_id: media.body.media_id,
    project_external_id: await externalOf(app.db, 'projects', project),
    user_external_id: await externalOf(app.db, 'users', viewer.id),
    project_invite_id: invite.body.project_invite_id,
    project_channel_invite_id: channelInvite.body.project_channel_invite_id,
    channel_id: channel.body.channel_id,
    srt_channel_id: srt.body.channel_id,
    channel_ids: [channel.body.channel_id],
    broadcast_id,
    recording_id,
    channel_name: `project#${project}`,
    stream_id: broadcast_id,
    event_id,
    key,
    transcoder_id: transcoder.body,
    user_id: viewer.id,
    payment_id,
    payId: payment_id,
    webhook_id: webhook.body.webhook_id,
    template_id: widget.body.template_id,
    schedule_id,
    video: { ids: [film] },
  }
  return {
    tokens: Object.fromEntries([
      ...Object.entries(signedIn).map(([name, person]) => [name, person.accessToken]),
      ['ended', cast.ended],
    ]) as Scene['tokens'],
    values: (caller) => ({
      ...values,
      project_id: project,
      own_project_id: caller === 'guest' ? guest.projectId : project,
      target_project_id: guest.projectId,
      to_project_id: owner.projectId,
    }),
  }
}

/** Signs in the users of a cast. */
const signInAll = async (world: World, cast: Cast) => ({
  stranger: await world.signIn(cast.stranger),
  viewer: await world.signIn(cast.viewer),
  editor: await world.signIn(cast.editor),
  owner: await world.signIn(cast.owner),
  guest: await world.signIn(cast.guest),
  operator: await world.signIn(cast.operator),
})

/** Creates a schedule with one film. */
async function newSchedule(world: World, project_id: number, as: Person) {
  const film = await someFilm(world, project_id)
  const start_at = Math.floor(world.clock.now().getTime() / 1000) + 3_600
  const { body } = await world.api(
    scheduler.create,
    { project_id, channel_ids: [], start_at, video: { ids: [film] } },
    { as },
  )
  return { film, schedule_id: body.id }
}

/** Returns the public id of a project or a user. */
const externalOf = async (db: World['app']['db'], table: 'projects' | 'users', id: number): Promise<string> =>
  (await db.selectFrom(table).select('external_id').where('id', '=', id).executeTakeFirstOrThrow()).external_id

/** Returns the recording of a project. */
const recordingOf = async (db: World['app']['db'], projectId: number): Promise<number> =>
  (await db.selectFrom('recordings').select('id').where('project_id', '=', projectId).executeTakeFirstOrThrow()).id

/** Inserts a pending top-up. */
const insertPayment = (db: World['app']['db'], project_id: number, date_create: string) =>
  db
    .insertInto('payments')
    .values({
      uuid: randomUUID(),
      project_id,
      provider: 'invoice',
      pay_system_id: 1,
      currency: 'usd',
      amount_minor: 1_000,
      type: 'topup',
      status: 'pending',
      date_create,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Parameter whose value the parameter `id` of an operation takes. */
const idOf: Readonly<Record<string, string>> = {
  'projects.projects.select': 'project_id',
  'projects.invites.del': 'project_invite_id',
  'broadcasts.broadcasts.eventItem': 'event_id',
  'broadcasts.recordings.download': 'recording_id',
  'broadcasts.scheduler.get': 'schedule_id',
  'broadcasts.scheduler.update': 'schedule_id',
  'broadcasts.scheduler.remove': 'schedule_id',
  'broadcasts.scheduler.stop': 'schedule_id',
  'broadcasts.recordings.remove': 'recording_id',
  'channels.invites.get': 'project_channel_invite_id',
  'channels.invites.del': 'project_channel_invite_id',
}

/** Valid values that refer to no object, by parameter name. */
const plausible: Readonly<Record<string, unknown>> = {
  picture: somePicture(),
  file: somePicture(),
  email: 'somebody@example.com',
  secret: 's'.repeat(43),
  rtmp_url: someAddress,
  ingress_url: 'srt://ingest.example.com:9000',
  channel_url: 'https://www.youtube.com/@somebody',
  website: 'https://example.com',
  url: someAddress,
  title: 'A title',
  name: 'A name',
  category_id: '1',
  category_secondary_id: '1',
  image: 'https://example.com/cover.png',
  telegram_id: '1',
  stream_key: someKey,
  account_id: '1',
  billing: 'plans',
  // A caller would become one for the operations that follow.
  operator: false,
  endpoint: 'https://push.example.com/1',
  quiet: null,
  country_id: 840,
  countrie_id: 643,
}

/**
 * Returns an input that only a missing right refuses: values of the scene, else plausible ones, else the smallest that
 * the schema accepts.
 * @param names parameters to send; default: those that the operation requires
 */
export function inputFor(
  op: Operation,
  scene: Pick<Scene, 'values'>,
  caller: Caller,
  names?: readonly string[],
): Readonly<Record<string, unknown>> {
  const { parameters } = describe(op)
  const own = parameters.some(({ name }) => name.startsWith('channel_id'))
  const { own_project_id, ...known } = scene.values(caller)
  const given: Record<string, unknown> = { ...plausible, ...known }
  if (own && own_project_id !== undefined) given['project_id'] = own_project_id
  given['id'] ??= given[idOf[op.id] ?? ''] ?? '1'
  if (op.id === 'channels.settings.setSrt')
    Object.assign(given, { channel_id: given['srt_channel_id'], url: plausible['ingress_url'] })
  if (op.id.endsWith('webhooks.add')) given['url'] = 'https://example.com/hook'
  const fields = parameters
    .filter(({ name, required }) => (names ? names.includes(name) : required && !op.carries.includes(name as 'v')))
    .map(({ name, schema }) => [name, fits(schema, given[name]) ? given[name] : least(schema)] as const)
  return Object.fromEntries(fields)
}

/** Returns whether the schema accepts the value. `key` and `id` have different types in different operations. */
function fits(schema: JsonSchema, value: unknown): boolean {
  if (value === undefined) return false
  if (schema.enum) return schema.enum.includes(value)
  const number = schema.type === 'integer' || schema.type === 'number'
  if (schema.type === 'array') return Array.isArray(value)
  if (schema.format === 'binary') return value instanceof Blob
  return number ? typeof value === 'number' : schema.type !== 'string' || typeof value === 'string'
}

function least(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return least((schema.anyOf as JsonSchema[])[0] ?? {})
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'integer' || schema.type === 'number') return Number(schema['minimum'] ?? 1)
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return [least(schema.items ?? {})]
  if (schema.type === 'object') {
    const fields = (schema['required'] ?? []) as readonly string[]
    const shapes = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
    return Object.fromEntries(fields.map((name) => [name, least(shapes[name] ?? {})]))
  }
  return 'x'.repeat(Math.max(1, Number(schema['minLength'] ?? 1)))
}
