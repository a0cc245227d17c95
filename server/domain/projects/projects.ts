// Projects: creation of the personal one, members, and full names.
import type { Currency } from '#contract/entities/project.ts'
import { type AccessType, accessTypes } from '#contract/entities/roles.ts'
import { type Clock, iso } from '#server/core/clock.ts'
import { randomNumber } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { grantRegistrationBonus } from '#server/domain/money/ledger.ts'
import { findProjectName, insertMember, insertProject } from './store.ts'

/** Creates the personal project of a new account, with its bonus. @returns its id */
export async function createPersonalProject(
  trx: Trx,
  clock: Clock,
  user: { readonly id: number; readonly firstName: string; readonly currency: Currency },
): Promise<number> {
  const id = await insertProject(trx, {
    external_id: randomNumber(),
    type: 0,
    name: user.firstName,
    fename: '',
    photo: null,
    currency: user.currency,
    country_id: 0,
    date_create: iso(clock.now()),
  })
  await addMember(trx, clock, { projectId: id, userId: user.id, accessType: accessTypes.owner })
  await grantRegistrationBonus(trx, clock, id)
  return id
}

/** Adds a user to a project. */
export const addMember = (
  db: Db | Trx,
  clock: Clock,
  member: { readonly projectId: number; readonly userId: number; readonly accessType: AccessType },
): Promise<void> =>
  insertMember(db, {
    project_id: member.projectId,
    user_id: member.userId,
    access_type: member.accessType,
    date_create: iso(clock.now()),
  })

/** Returns the full name of a project; empty for an unknown one. */
export async function projectName(db: Db | Trx, projectId: number): Promise<string> {
  const row = await findProjectName(db, projectId)
  return [row?.name, row?.fename].filter(Boolean).join(' ')
}
