// Test helpers for channels: add a channel, share it with another project, buy the plan that it needs.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import type { ChannelRight } from '#contract/entities/roles.ts'
import { iso } from '#server/core/clock.ts'
import { topUp } from './tariffs.ts'
import type { Person, World } from './test-app.ts'

export const someAddress = 'rtmp://ingest.example.com/live'
export const someKey = 'key-4711'

/** Channels that a test added to each project. */
const added = new WeakMap<World['api'], Map<number, number>>()

/** Returns a key that no other channel of the project has; the first one is `someKey`. */
function nextKey(api: World['api'], projectId: number): string {
  const counts = added.get(api) ?? new Map<number, number>()
  added.set(api, counts)
  const count = (counts.get(projectId) ?? 0) + 1
  counts.set(projectId, count)
  return count === 1 ? someKey : `${someKey}-${count}`
}

/** Adds a channel by key. @returns its id */
export async function newChannel(
  { api }: Pick<World, 'api'>,
  person: Person,
  { name = 'Channel', type = 'youtube' as const, projectId = person.projectId, rtmp_url = someAddress } = {},
): Promise<number> {
  const input = { project_id: projectId, type, name, rtmp_url, stream_key: nextKey(api, projectId) }
  const { body, error } = await api(addChannel.any, input, { as: person })
  if (error) throw new Error(error.msg)
  return body.channel_id
}

/** Shares a channel with another project. */
export async function share(
  { app, clock }: Pick<World, 'app' | 'clock'>,
  channelId: number,
  projectId: number,
  accessType: ChannelRight,
): Promise<void> {
  await app.db
    .insertInto('project_channels')
    .values({
      project_id: projectId,
      channel_id: channelId,
      access_type: accessType,
      active: 0,
      transcoder_id: null,
      delay_seconds: 0,
      date_create: iso(clock.now()),
    })
    .execute()
}

/** Tops up a user's project and buys transcoders for it: up to 4K60. */
export async function moreTranscoders({ api, app, clock }: World, person: Person, count: number): Promise<void> {
  await topUp({ db: app.db, clock }, person.projectId, { bonus: 0, payment: 1_000_000, profit: 0 })
  const input = { project_id: person.projectId, period: 'month', plan_transcoding_id: 4, count } as const
  await api(transcoding.buy, input, { as: person })
}

/** Tops up a user's project and buys a plan for it. */
export async function upgrade({ api, app, clock }: World, person: Person, planId: number): Promise<void> {
  await topUp({ db: app.db, clock }, person.projectId, { bonus: 0, payment: 1_000_000, profit: 0 })
  const input = { project_id: person.projectId, period: 'month', plan_restream_id: planId } as const
  await api(restream.buy, input, { as: person })
}
