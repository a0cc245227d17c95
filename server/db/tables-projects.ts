// Tables of projects and their members (migration 0002).
import type { Generated } from 'kysely'
import type { AccessType, Currency } from '#contract/entities/project.ts'

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
  }
  project_members: {
    id: Generated<number>
    project_id: number
    user_id: number
    access_type: AccessType
    date_create: string
  }
}
