// Profile of the signed-in user over HTTP, under its own path and under the older one.
import { profile, usersProfile } from '#contract/areas/account/profile.ts'
import type { ParsedInput } from '#contract/core/operation.ts'
import type { Context } from '#server/core/context.ts'
import { implement } from '#server/core/implement.ts'
import { authorize } from '#server/domain/projects/access.ts'
import { fileUrl, readPicture, storePicture } from '#server/domain/account/pictures.ts'
import { countInvited, getUser, removeFile, updateUser } from '#server/domain/account/store.ts'
import { sumEarned } from '#server/domain/billing/referrals/store.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { sumOf } from '#server/domain/money/balance.ts'

type Ctx = Context<'session'>

async function get({ project_id }: ParsedInput<typeof profile.get>, { db, user, origin }: Ctx) {
  const row = await getUser(db, user.id)
  const projectId = project_id ?? user.grant?.projectId ?? row.last_project_id
  if (project_id !== undefined) await authorize({ db }, user, project_id, 'viewer')
  return {
    id: row.id,
    type: 0,
    firstName: row.first_name,
    lastName: row.last_name,
    photo: fileUrl(origin, row.photo),
    refId: row.ref_id,
    partners: await countInvited(db, user.id),
    referralsIncome: String(await sumEarned(db, user.id)),
    scope: 0,
    currency: row.currency,
    countrie_id: row.country_id,
    language: row.language,
    balance: projectId === null ? 0 : sumOf(await getBalance(db, projectId)),
    lastProjectId: row.last_project_id,
  }
}

async function update(input: ParsedInput<typeof profile.update>, { db, user }: Ctx) {
  const { photo: before } = await getUser(db, user.id)
  const photo = input.avatar ? { photo: await storePicture(db, await readPicture(input.avatar)) } : {}
  await updateUser(db, user.id, { first_name: input.first_name, last_name: input.last_name, ...photo })
  if (before !== null && 'photo' in photo) await removeFile(db, before)
  return { success: true }
}

export const profileRoutes = [...implement(profile, { get, update }), ...implement(usersProfile, { get, update })]
