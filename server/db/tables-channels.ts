// Tables of channels (migrations 0005, 0007, 0019, 0021): where streams go, and which projects may use it.
import type { Generated } from 'kysely'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { AccessType } from '#contract/entities/roles.ts'

export interface ChannelTables {
  /** A destination. It belongs to one project; `project_channels` says who else may use it. */
  channels: {
    id: Generated<number>
    owner_project_id: number
    /** Who added it. */
    user_id: number | null
    type: PlatformType
    name: string
    /** The name as search compares it (`foldName`). */
    name_folded: string
    /** The platform's own id of it; empty when it is known by a key only. */
    external_id: string
    /** Page at the platform; empty when nobody said. */
    channel_url: string
    photo: string | null
    /** The connected account that it came from. */
    account_id: number | null
    /** Address without its query, which may hold secrets; null where the account gives a new one each time. */
    address: string | null
    /** 1: a person chose an address that is none of the platform's servers (`isCustom`); the tariff has to allow it. */
    custom: Generated<0 | 1>
    /** Key and query of the address, sealed (`channel-secrets.ts`). */
    secret_sealed: string | null
    /** What the platform is told about the stream: JSON, in the names of the wire's writes. */
    settings: string
    /** How the last test of the address went, and when (`channel-tests.ts`); null: it was not tested. */
    test_reason: Generated<string | null>
    date_test: Generated<string | null>
    date_create: string
  }
  /** A channel in a project, its owner's included: what the project may do with it, and its personal settings. */
  project_channels: {
    id: Generated<number>
    project_id: number
    channel_id: number
    access_type: AccessType
    /** 1: the next broadcast of the project goes there. */
    active: 0 | 1
    transcoder_id: number | null
    delay_seconds: number
    date_create: string
  }
  /** Invitations to use a channel. One that has ended was accepted or withdrawn. */
  channel_invites: {
    id: Generated<number>
    channel_id: number
    /** The project that the channel belonged to then. */
    from_project_id: number
    from_user_id: number
    access_type: AccessType
    /** Whom it is for; null: whoever has the secret. */
    to_project_id: number | null
    /** Where its link was sent to. */
    email: string | null
    /** Of the secret, which is nowhere. */
    hash: string | null
    /** 1: it was declined, and its owner may still see that. */
    reject: 0 | 1
    accepted_project_id: number | null
    date_create: string
    date_expire: string
    date_end: string | null
  }
}
