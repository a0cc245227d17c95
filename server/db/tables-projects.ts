// Tables of projects and their members (migrations 0002, 0008).
import type { Generated } from 'kysely'
import type { Currency } from '#contract/entities/project.ts'
import type { AccessType } from '#contract/entities/roles.ts'

export interface ProjectTables {
  projects: {
    id: Generated<number>
    external_id: string
    /** 0 personal, 1 team. */
    type: 0 | 1
    name: string
    fename: string
    /** File name below `files/`. */
    photo: string | null
    currency: Currency
    country_id: number
    date_create: string
    /** Who made a team project; null for the projects that accounts begin with. */
    created_by: number | null
  }
  project_members: {
    id: Generated<number>
    project_id: number
    user_id: number
    access_type: AccessType
    date_create: string
  }
  /** Invitations into projects. One that has ended was accepted, declined or withdrawn. */
  project_invites: {
    id: Generated<number>
    project_id: number
    from_user_id: number
    access_type: AccessType
    /** Where its link was sent to. */
    email: string | null
    /** Of the secret, which is nowhere. */
    hash: string
    date_create: string
    date_expire: string
    date_end: string | null
    accepted_by: number | null
  }
}
