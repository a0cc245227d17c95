// People of the installation over HTTP, for operators.
import { people } from '#contract/areas/operator/people.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { endSessions, inviteUser, setOperator, setSignUp } from '#server/domain/operator/people.ts'
import { listUsers } from '#server/domain/operator/people-store.ts'

export const peopleRoutes = implement(people, {
  list: async ({ query = '', operators: isOperator = false, limit, offset }, { db, clock }) => {
    const filter = { query: query.trim(), isOperator, now: iso(clock.now()) }
    const { rows, total } = await listUsers(db, filter, { limit, offset })
    const results = rows.map(({ id, first_name, last_name, operator_id, projects, sessions, ...user }) => ({
      user_id: id,
      name: [first_name, last_name].filter(Boolean).join(' '),
      ...user,
      operator: operator_id !== null,
      projects: Number(projects),
      sessions: Number(sessions),
    }))
    return { total, limit, offset, results }
  },
  setOperator: async ({ user_id: userId, operator: isOperator, reason }, ctx) => {
    await setOperator(ctx, ctx.user, { userId, isOperator, reason })
    return { success: true }
  },
  endSessions: async ({ user_id, reason }, ctx) => ({ ended: await endSessions(ctx, ctx.user, user_id, reason) }),
  setSignUp: async ({ sign_up, reason }, ctx) => {
    await setSignUp(ctx, ctx.user, sign_up, reason)
    return { success: true }
  },
  invite: async ({ reason }, ctx) => ({
    url: `${ctx.origin}/sign-in?invite=${await inviteUser(ctx, ctx.user, reason)}`,
  }),
})
