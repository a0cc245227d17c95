// Projects of the signed-in user over HTTP.
import { projects } from '#contract/areas/projects/projects.ts'
import { scopes } from '#contract/core/scopes.ts'
import type { Context } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { updateUser } from '#server/domain/account/store.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { getDebt } from '#server/domain/money/store.ts'
import { emptyBalance, type Balance } from '#server/domain/money/balance.ts'
import {
  findColleague,
  findProject,
  findSuspension,
  listMembers,
  listProjects,
  type MembershipRow,
  type ProjectRow,
} from '#server/domain/projects/store.ts'
import { reaches } from '#server/domain/projects/access.ts'
import { freeSlots } from '#server/domain/ingest/capacity.ts'
import { storageInfo, transcodingInfo } from '#server/domain/tariffs/add-on-info.ts'
import { currentSubscription } from '#server/domain/tariffs/subscription-info.ts'
import { createTeamProject, renameProject } from '#server/domain/projects/team-projects.ts'

const createsPerMinute = 10

export const projectRoutes = implement(projects, {
  list: async (page, { db, user, origin }) => {
    const { rows, total } = await listProjects(db, user.id, page, user.grant?.projectId)
    return { ...page, total, results: rows.map((row) => presentMembership(row, Number(row.member_count), origin)) }
  },

  select: async ({ id }, ctx) => {
    const project = await getProject(ctx, { id })
    await updateUser(ctx.db, ctx.user.id, { last_project_id: id })
    return presentProject(project, await getBalance(ctx.db, id), ctx.origin)
  },

  get: async ({ project_external_id }, ctx) => {
    const project = await getProject(ctx, { externalId: project_external_id })
    return presentProject(project, await getBalance(ctx.db, project.id), ctx.origin)
  },

  info: async ({ project_id }, ctx) => {
    const project = await getProject(ctx, { id: project_id })
    const { countrie_id, internal_id, ...data } = presentProject(
      project,
      await getBalance(ctx.db, project_id),
      ctx.origin,
    )
    return {
      data: {
        ...data,
        debt: await getDebt(ctx.db, project_id),
        project_id: internal_id,
        photo_100: data.photo_50,
        country_id: countrie_id,
      },
      restream: await currentSubscription(ctx, project_id),
      transcoding: await transcodingInfo(ctx, project_id, () => freeSlots(ctx)),
      storage: await storageInfo(ctx, project_id),
      access: { access_type: project.access_type },
      suspended: await findSuspension(ctx.db, project_id),
    }
  },

  user: async ({ user_external_id }, { db, user, origin }) => {
    const person = await findColleague(db, user.id, user_external_id)
    if (!person || user.grant?.projectId) throw new ForbiddenError()
    // A user as a card, without a balance: balances belong to projects.
    return presentProject(
      { ...person, type: 0, name: person.first_name, fename: person.last_name },
      emptyBalance,
      origin,
    )
  },

  members: async ({ project_id }, { db, origin }) => {
    const rows = await listMembers(db, project_id)
    const results = rows.map((row) => ({
      user_id: row.id,
      project_id,
      name: row.first_name,
      fename: row.last_name,
      photo_50: fileUrl(origin, row.photo),
      type: 0 as const,
      external_id: row.external_id,
      access_type: row.access_type,
    }))
    return { results }
  },

  me: (_, { user }) => ({ scopes: [...(user.grant?.scopes ?? scopes)] }),

  create: async ({ name, currency }, ctx) => {
    ctx.limits.count(`create project ${ctx.user.id}`, createsPerMinute)
    const id = await createTeamProject(ctx, ctx.user, { name, currency })
    return presentProject(await getProject(ctx, { id }), emptyBalance, ctx.origin)
  },

  update: async ({ project_id, name }, ctx) => {
    await renameProject(ctx, ctx.user, project_id, name)
    return { success: true }
  },
})

/** Returns a project of the caller. @throws ForbiddenError also for an unknown project */
async function getProject({ db, user }: Context<'session'> | Context<'viewer'>, by: Parameters<typeof findProject>[2]) {
  const project = await findProject(db, user.id, by)
  if (!project || !reaches(user, project.id)) throw new ForbiddenError()
  return project
}

const presentProject = (
  row: Omit<ProjectRow, 'member_id' | 'user_id' | 'access_type' | 'suspend_reason'>,
  held: Balance,
  origin: string,
) => ({
  name: row.name,
  fename: row.fename,
  photo_50: fileUrl(origin, row.photo),
  type: row.type,
  external_id: row.external_id,
  internal_id: row.id,
  countrie_id: row.country_id,
  balance_bonus: held.bonus,
  balance_payment: held.payment,
  balance_profit: held.profit,
  currency: row.currency,
})

const presentMembership = (row: MembershipRow, memberCount: number, origin: string) => ({
  id: row.member_id,
  user_id: row.user_id,
  project_id: row.id,
  access_type: row.access_type,
  member_count: memberCount,
  suspended: row.suspend_reason,
  lacks_factor: row.lacks_factor === 1,
  project: {
    user_id: row.user_id,
    project_id: row.id,
    name: row.name,
    fename: row.fename,
    photo_50: fileUrl(origin, row.photo),
    type: row.type,
    external_id: row.external_id,
    access_type: row.access_type,
  },
})
