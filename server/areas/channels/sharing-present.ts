// Shared channels as the wire shows them.
import type { ChannelInvite, ReceivedInvite } from '#contract/areas/channels/invites.ts'
import type { ProjectCard } from '#contract/entities/channel-sharing.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import type { OpenInvite } from '#server/domain/channels/invites-store.ts'

interface ProjectRow {
  readonly id: number
  readonly name: string | null
  readonly fename: string | null
  readonly photo: string | null
  readonly external_id: string | null
}

/** Presents a project to its partners. */
export const presentProject = (origin: string, row: ProjectRow): ProjectCard => ({
  user_id: row.id,
  name: row.name ?? '',
  fename: row.fename ?? '',
  photo_50: fileUrl(origin, row.photo),
  ref_id: row.external_id ?? '',
})

const common = (row: OpenInvite) => ({
  project_channel_invite_id: row.id,
  channel_id: row.channel_id,
  to_project_id: row.to_project_id,
  access_type: row.access_type,
  date: row.date_create,
  date_expire: row.date_expire,
  reject: row.reject === 1,
  from_user_id: row.from_user_id,
})

/** Presents an invitation to owners of the channel. @param secret of a new invitation; not stored */
export const presentInvite = (origin: string, row: OpenInvite, secret = ''): ChannelInvite => ({
  ...common(row),
  secret,
  email: row.email,
  from_project_id: row.from_project_id,
  ...(row.to_project_id !== null && {
    to_project_: presentProject(origin, {
      id: row.to_project_id,
      name: row.to_name,
      fename: row.to_fename,
      photo: row.to_photo,
      external_id: row.to_external_id,
    }),
  }),
})

/** An invitation as the invited see it: without the e-mail that it was sent to. */
export const presentReceived = (origin: string, row: OpenInvite): ReceivedInvite => ({
  ...common(row),
  secret: '',
  email: null,
  channel_: {
    channel_id: row.channel_id,
    name: row.channel_name,
    photo_50: fileUrl(origin, row.channel_photo),
    type: row.channel_type,
  },
  from_project_: presentProject(origin, {
    id: row.from_project_id,
    name: row.from_name,
    fename: row.from_fename,
    photo: row.from_photo,
    external_id: row.from_external_id,
  }),
})
