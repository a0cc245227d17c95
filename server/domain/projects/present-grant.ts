// Grants as both lists of connected apps show them.
import { scopes } from '#contract/core/scopes.ts'
import type { ConnectedApp } from '#contract/entities/connected-app.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import type { GrantRow } from './apps-store.ts'

/** Returns one connection for the grants of an app, a user and a project. @param rows newest first; @param origin of the service */
export const presentGrants = (rows: readonly GrantRow[], origin: string): ConnectedApp[] =>
  [...Map.groupBy(rows, (row) => `${row.app_id} ${row.user_id} ${row.project_id}`).values()].map((grants) =>
    present(grants, origin),
  )

function present(grants: readonly GrantRow[], origin: string): ConnectedApp {
  const [newest] = grants
  if (!newest) throw new Error('A group has a grant')
  const used = grants.reduce((last, one) => ((one.date_use ?? '') > (last.date_use ?? '') ? one : last))
  const dates = (of: (grant: GrantRow) => string) => grants.map(of).toSorted()
  return {
    grant_id: newest.id,
    name: newest.name,
    website: newest.website,
    picture: fileUrl(origin, newest.picture),
    scopes: scopes.filter((scope) => grants.some((grant) => (grant.scopes ?? '').split(' ').includes(scope))),
    project: { id: newest.project_id, name: joined(newest.project_name, newest.project_fename) },
    user: { id: newest.user_id, name: joined(newest.first_name, newest.last_name) },
    date_create: dates(({ date_create: date }) => date)[0] ?? '',
    date_end: dates(({ date_max: date }) => date).at(-1) ?? '',
    date_use: used.date_use,
    address: used.use_address,
    program: used.use_program,
  }
}

const joined = (...names: readonly string[]): string => names.filter(Boolean).join(' ')
