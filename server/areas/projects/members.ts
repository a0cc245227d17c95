// Members of a project and their roles over HTTP.
import { members } from '#contract/areas/projects/members.ts'
import { implement } from '#server/core/implement.ts'
import type { Context } from '#server/core/context.ts'
import { changeAccess, leaveProject, removeMember, transferOwner } from '#server/domain/projects/team.ts'

interface Member {
  readonly project_id: number
  readonly user_id: number
}

const membershipOf = ({ project_id, user_id }: Member) => ({ projectId: project_id, userId: user_id })

async function remove(input: Member, ctx: Context<'owner'>) {
  await removeMember(ctx, ctx.user, membershipOf(input))
  return { success: true }
}

export const memberRoutes = implement(members, {
  changeAccess: async ({ access_type, ...input }, ctx) => {
    await changeAccess(ctx, ctx.user, membershipOf(input), access_type)
    return { success: true }
  },

  del: remove,
  delete: remove,

  leave: async ({ project_id }, ctx) => {
    await leaveProject(ctx, ctx.user, project_id)
    return { success: true }
  },

  transferOwner: async (input, ctx) => {
    await transferOwner(ctx, ctx.user, membershipOf(input))
    return { success: true }
  },
})
