// API tokens of the signed-in user over HTTP.
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { createApiToken, revokeApiToken } from '#server/domain/projects/api-tokens.ts'
import { type ApiTokenRow, listApiTokens } from '#server/domain/projects/api-tokens-store.ts'

const createdPerMinute = 30

export const apiTokenRoutes = implement(apiTokens, {
  list: async (_, { db, clock, user }) => ({
    results: (await listApiTokens(db, user.id, iso(clock.now()))).map(present),
  }),

  create: async ({ name, scopes, project_id, days }, ctx) => {
    ctx.limits.count(`api token ${ctx.user.id}`, createdPerMinute)
    const { row, token } = await createApiToken(ctx, ctx.user, { name, scopes, projectId: project_id ?? null, days })
    return { ...present(row), token }
  },

  revoke: async ({ token_id }, ctx) => {
    await revokeApiToken(ctx, ctx.user.id, token_id)
    return { success: true }
  },
})

const present = (row: ApiTokenRow) => ({
  id: row.id,
  name: row.name,
  scopes: (row.scopes ?? '').split(' ').filter(Boolean),
  project:
    row.project_id === null
      ? null
      : { id: row.project_id, name: [row.project_name, row.project_fename].filter(Boolean).join(' ') },
  hint: row.hint,
  date_create: row.date_create,
  date_end: row.date_max,
  date_use: row.date_use,
  address: row.use_address,
  program: row.use_program,
})
