// A grant as both lists of connected apps show it.
import type { ConnectedApp } from '#contract/entities/connected-app.ts'
import type { GrantRow } from './apps-store.ts'

export const presentGrant = (row: GrantRow): ConnectedApp => ({
  grant_id: row.id,
  name: row.name,
  website: row.website,
  scopes: (row.scopes ?? '').split(' ').filter(Boolean),
  project: { id: row.project_id, name: joined(row.project_name, row.project_fename) },
  user: { id: row.user_id, name: joined(row.first_name, row.last_name) },
  date_create: row.date_create,
  date_end: row.date_max,
  date_use: row.date_use,
  address: row.use_address,
  program: row.use_program,
})

const joined = (...names: readonly string[]): string => names.filter(Boolean).join(' ')
