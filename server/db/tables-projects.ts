// Tables of projects, their members and their history.
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
    /** Name in `files`. */
    photo: string | null
    currency: Currency
    country_id: number
    date_create: string
    /** Creator of a team project; null for personal projects. */
    created_by: number | null
    /** Time when an operator suspended it, and the reason that members see; null: not suspended. */
    date_suspend: Generated<string | null>
    suspend_reason: Generated<string | null>
    /** 1: members need a second factor. */
    second_factor: Generated<0 | 1>
  }
  /** Notes of operators on a project. */
  project_notes: { id: Generated<number>; project_id: number; user_id: number; text: string; date_create: string }
  project_members: {
    id: Generated<number>
    project_id: number
    user_id: number
    access_type: AccessType
    date_create: string
  }
  /** Invitations into projects. An ended one was accepted, declined or withdrawn. */
  project_invites: {
    id: Generated<number>
    project_id: number
    from_user_id: number
    access_type: AccessType
    /** Recipient of the link. */
    email: string | null
    /** Hash of the secret, which is stored nowhere. */
    hash: string
    date_create: string
    date_expire: string
    date_end: string | null
    accepted_by: number | null
  }
}

// Table of the history of projects.

export interface HistoryTables {
  project_history: {
    id: Generated<number>
    project_id: number
    user_id: number | null
    action: string
    channel_id: number | null
    /** JSON. */
    details: string | null
    date_create: string
  }
}
