// Test helpers for shared channels: two users, invitations, links.
import { invites } from '#contract/areas/channels/invites.ts'
import type { ChannelRight } from '#contract/entities/roles.ts'
import { newChannel } from './channels.ts'
import type { Person, World } from './test-app.ts'

/** Creates Ann with a channel, and Bob with his own project. */
export async function sharingPair(world: World) {
  const [ann, bob] = [await world.user('Ann'), await world.user('Bob')]
  const channelId = await newChannel(world, ann, { name: 'Main' })
  return {
    ann,
    bob,
    channelId,
    /** Parameters of the channel in Ann's project, and in Bob's. */
    place: { project_id: ann.projectId, channel_id: channelId },
    there: { project_id: bob.projectId, channel_id: channelId },
  }
}
export type SharingPair = Awaited<ReturnType<typeof sharingPair>>

/** Invites Bob's project by its id. */
export async function inviteProject(world: World, { ann, bob, place }: SharingPair, access_type: ChannelRight = 1) {
  const { external_id } = await world.app.db
    .selectFrom('projects')
    .select('external_id')
    .where('id', '=', bob.projectId)
    .executeTakeFirstOrThrow()
  return world.api(invites.addById, { ...place, access_type, to_project_external_id: external_id }, { as: ann })
}

/** Creates an invitation link to the channel. */
export async function inviteByLink(
  world: World,
  { ann, place }: Pick<SharingPair, 'ann' | 'place'>,
  access_type: ChannelRight = 1,
) {
  const { body, error } = await world.api(invites.addLink, { ...place, access_type }, { as: ann })
  if (error) throw new Error(error.name)
  return body
}

/** Accepts the link to a channel into a user's project. */
export const acceptLink = (world: World, as: Person, channel_id: number, secret: string, through = world.app) =>
  world.api(invites.acceptForSecret, { project_id: as.projectId, channel_id, secret }, { as, through })

/** Shares a channel of Ann with Bob's project. */
export async function sharedPair(world: World, access_type: ChannelRight = 1): Promise<SharingPair> {
  const both = await sharingPair(world)
  await inviteProject(world, both, access_type)
  const { error } = await world.api(invites.acceptForProject, both.there, { as: both.bob })
  if (error) throw new Error(error.name)
  return both
}
