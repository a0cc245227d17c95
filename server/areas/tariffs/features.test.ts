// Each listed feature of restream plans: the operator edits it, and the service refuses what a plan lacks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { plans } from '#contract/areas/operator/plans.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { type RestreamFeature, restreamFeatures } from '#contract/entities/plan-features.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { reconcilePlaces, watchChat } from '#server/domain/chat/wanted.ts'
import { newChannel, someKey, upgrade } from '#server/testing/channels.ts'
import { chatOnAir } from '#server/testing/chat.ts'
import { type Answer, newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp({ RECORD_LIMIT: '5' })
  operator = await newOperator(world)
})
afterAll(() => world.close())

const planId = 4

/** Sets a field of the plan as the operator's editor does, and returns the plan as the editor shows it. */
async function edit(field: RestreamFeature['field'], value: number | boolean) {
  const find = async () =>
    (await world.api(plans.list, {}, { as: operator })).body.restream.find(({ id }) => id === planId)!
  const { id, index: _, projects: __, assigned: ___, ...plan } = await find()
  const input = { ...plan, [field]: value, plan_id: id, reason: 'A test' }
  expect((await world.api(plans.saveRestream, input, { as: operator })).status).toBe(200)
  return find()
}

async function customer(): Promise<Person> {
  const person = await world.user()
  await upgrade(world, person, planId)
  return person
}

/** Limit that a refusal names; `done` without a refusal. */
const limitOf = ({ error }: Pick<Answer<unknown>, 'error'>): unknown => (error ? error.data['limit'] : 'done')

/** Returns whether a chat on air is read, with its page open or not. */
async function isChatRead(isWatched: boolean): Promise<boolean> {
  const { ann } = await chatOnAir(world)
  await upgrade(world, ann, planId)
  const name = `features${ann.projectId}`
  await world.app.db
    .updateTable('channels')
    .set({ type: 'twitch', channel_url: `https://www.twitch.tv/${name}` })
    .where('owner_project_id', '=', ann.projectId)
    .execute()
  if (isWatched) await watchChat(world.services, ann.projectId)
  return (await reconcilePlaces(world.services)).places.some(({ source }) => source.includes(name))
}

interface Case {
  /** A value that lacks the feature, and one that has it. */
  readonly values: readonly [number | boolean, number | boolean]
  /** Outcome with each value. */
  readonly outcomes: readonly [unknown, unknown]
  readonly act: () => Promise<unknown>
}

const cases: Readonly<Record<RestreamFeature['field'], Case>> = {
  channel_max: {
    values: [1, 2],
    outcomes: ['channels', 'done'],
    act: async () => {
      const person = await customer()
      const channel_ids = [
        await newChannel(world, person, { name: 'One' }),
        await newChannel(world, person, { name: 'Two' }),
      ]
      const input = { project_id: person.projectId, channel_ids, status: true } as const
      return limitOf(await world.api(channels.bulkStatus, input, { as: person }))
    },
  },
  bitrate_max: {
    values: [12_000, 40_000],
    outcomes: [12_000, 40_000],
    act: async () => (await readDesired(world.services, (await customer()).projectId)).state.kbpsMax,
  },
  create_projects: {
    values: [false, true],
    outcomes: ['create_projects', 'done'],
    act: async () =>
      limitOf(await world.api(projects.create, { name: 'Team', currency: 'usd' }, { as: await customer() })),
  },
  chat: { values: [false, true], outcomes: [false, true], act: () => isChatRead(true) },
  background_chat: { values: [false, true], outcomes: [false, true], act: () => isChatRead(false) },
  video_storage: {
    values: [1, 50],
    // A plan never gives less than RECORD_LIMIT.
    outcomes: [5, 50],
    act: async () => {
      const person = await customer()
      const { body } = await world.api(recordings.limits, { project_id: person.projectId }, { as: person })
      return body.video_limit / 1e9
    },
  },
  change_subject: {
    values: [false, true],
    outcomes: ['change_subject', 'done'],
    act: async () => {
      const person = await customer()
      const input = { project_id: person.projectId, title: 'Tonight', description: '' }
      return limitOf(await world.api(settings.bulkUpdate, input, { as: person }))
    },
  },
  support_custom_channel: {
    values: [false, true],
    outcomes: ['custom_channels', 'done'],
    act: async () => {
      const person = await customer()
      const place = { project_id: person.projectId, type: 'custom', name: 'Own' } as const
      const input = { ...place, rtmp_url: 'rtmp://media.example.org/live', stream_key: someKey }
      return limitOf(await world.api(addChannel.any, input, { as: person }))
    },
  },
}

test.for(restreamFeatures)('$name is edited, listed and enforced', async ({ name, field }) => {
  const { values, outcomes, act } = cases[field]
  for (const [at, value] of values.entries()) {
    expect(await edit(field, value)).toMatchObject({ [field]: value })
    const offer = (await world.api(restream.list, {})).body.results.find((row) => row.plan_restream_id === planId)
    expect(offer?.[name]).toBe(field === 'video_storage' ? outcomes[at] : value)
    expect(await act()).toBe(outcomes[at])
  }
})

test('lists no other feature, and names the space that every plan has', async () => {
  const { feature } = (await world.api(restream.list, {})).body
  expect(feature.results.map(({ name }) => name)).toEqual(restreamFeatures.map(({ name }) => name))
  expect((await world.api(plans.list, {}, { as: operator })).body.record_limit).toBe(5)
})

test('a plan that is saved without the newer fields keeps them', async () => {
  await edit('chat', false)
  const plan = (await world.api(plans.list, {}, { as: operator })).body.restream.find(({ id }) => id === planId)!
  const {
    id,
    index: _,
    projects: __,
    assigned: ___,
    chat: ____,
    background_chat: b,
    change_subject: c,
    ...older
  } = plan
  expect([b, c]).toEqual([true, true])
  await world.api(plans.saveRestream, { ...older, plan_id: id, reason: 'A test' }, { as: operator })
  const after = (await world.api(plans.list, {}, { as: operator })).body.restream.find((row) => row.id === planId)
  expect(after).toMatchObject({ chat: false, background_chat: true, change_subject: true })
})
