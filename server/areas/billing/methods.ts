// Saved payment methods of a project over HTTP.
import { methods } from '#contract/areas/billing/methods.ts'
import { implement } from '#server/core/implement.ts'
import { chooseMethod, forgetMethod } from '#server/domain/billing/payments/methods.ts'
import { listMethods } from '#server/domain/billing/payments/store.ts'

export const methodRoutes = implement(methods, {
  list: async ({ project_id }, { db }) => ({
    results: (await listMethods(db, project_id)).map((row) => ({
      method_id: row.id,
      pay_name: row.provider,
      title: row.title,
      expires: row.expires,
      is_default: row.is_default === 1,
    })),
  }),
  setDefault: async ({ project_id, method_id }, ctx) => {
    await chooseMethod(ctx, project_id, method_id)
    return { success: true }
  },
  remove: async ({ project_id, method_id }, ctx) => {
    await forgetMethod(ctx, project_id, method_id)
    return { success: true }
  },
})
