// Tables of channels, and of the projects that may use them.
import type { Generated } from 'kysely'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ChannelRight } from '#contract/entities/roles.ts'

export interface ChannelTables {
  /** A destination. It belongs to one project; `project_channels` has the projects that may use it. */
  channels: {
    id: Generated<number>
    owner_project_id: number
    /** User that added it. */
    user_id: number | null
    type: PlatformType
    name: string
    /** Normalised name for search (`foldText`). */
    name_folded: string
    /** The platform's own id of the channel; empty for a channel that has only a key. */
    external_id: string
    /** Page at the platform; empty: unknown. */
    channel_url: string
    photo: string | null
    /** Connected account of the channel. */
    account_id: number | null
    /** Address without its query, which may hold secrets; null where the account assigns one for each broadcast. */
    address: string | null
    /** 1: a user chose an address outside the platform (`isCustom`); the tariff has to allow it. */
    custom: Generated<0 | 1>
    /** Key and query of the address, encrypted (`channel-secrets.ts`). */
    secret_sealed: string | null
    /** Settings of the stream for the platform: JSON, with the names of the wire's writes. */
    settings: string
    /** Result and time of the last test of the address (`channel-tests.ts`); null: not tested. */
    test_reason: Generated<string | null>
    date_test: Generated<string | null>
    date_create: string
  }
  /** A channel in a project, including its owner: permissions of the project, and its own settings. */
  project_channels: {
    id: Generated<number>
    project_id: number
    channel_id: number
    access_type: ChannelRight
    /** 1: the next broadcast of the project includes the channel. */
    active: 0 | 1
    transcoder_id: number | null
    delay_seconds: number
    /** Tracks of the encoder: JSON of `TrackChoice`; null: the main ones. */
    tracks: Generated<string | null>
    /** Silence while the stream has no sound (`SilenceChoice`); null: `auto`. */
    silence: Generated<'always' | 'never' | null>
    /** Smaller picture while the channel is too slow (`LadderChoice`); null: `same_size`. */
    ladder: Generated<'off' | null>
    /** 1: a new broadcast is made when the platform shows the old one no longer. */
    healing: Generated<0 | 1>
    date_create: string
  }
  /** Invitations to use a channel. An ended one was accepted or withdrawn. */
  channel_invites: {
    id: Generated<number>
    channel_id: number
    /** Project that owned the channel at that time. */
    from_project_id: number
    from_user_id: number
    access_type: ChannelRight
    /** Invited project; null: every holder of the secret. */
    to_project_id: number | null
    /** Recipient of the link. */
    email: string | null
    /** Hash of the secret, which is stored nowhere. */
    hash: string | null
    /** 1: declined; the owner can still see it. */
    reject: 0 | 1
    accepted_project_id: number | null
    date_create: string
    date_expire: string
    date_end: string | null
  }
}
