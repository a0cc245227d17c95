// Apps of the signed-in person over HTTP: those developed, and those connected.
import { apps } from '#contract/areas/account/apps.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import {
  changeApp,
  changePicture,
  createApp,
  deleteApp,
  disconnectApp,
  replaceSecret,
} from '#server/domain/projects/apps.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { type AppRow, listApps, listGrants } from '#server/domain/projects/apps-store.ts'
import { presentGrants } from '#server/domain/projects/present-grant.ts'

export const appRoutes = implement(apps, {
  list: async (_, { db, clock, user, origin }) => ({
    results: (await listApps(db, user.id, iso(clock.now()))).map((row) => present(row, origin)),
  }),

  create: async ({ redirect_uris: redirectUris, is_public: isPublic, name, website, scopes }, ctx) => {
    const { row, secret } = await createApp(ctx, ctx.user, { name, website, scopes, redirectUris, isPublic })
    return { ...present(row, ctx.origin), client_secret: secret }
  },

  update: async ({ app_id, redirect_uris: redirectUris, name, website, scopes }, ctx) => {
    await changeApp(ctx, ctx.user, app_id, { name, website, scopes, redirectUris })
    return { success: true }
  },

  picture: async ({ app_id, picture }, ctx) => ({
    picture: fileUrl(ctx.origin, await changePicture(ctx, ctx.user, app_id, picture)),
  }),

  secret: async ({ app_id }, ctx) => ({ client_secret: await replaceSecret(ctx, ctx.user, app_id) }),

  remove: async ({ app_id }, ctx) => {
    await deleteApp(ctx, ctx.user, app_id)
    return { success: true }
  },

  connected: async (_, { db, clock, user, origin }) => ({
    results: presentGrants(await listGrants(db, { userId: user.id }, iso(clock.now())), origin),
  }),

  disconnect: async ({ grant_id }, ctx) => {
    await disconnectApp(ctx, { id: grant_id, userId: ctx.user.id })
    return { success: true }
  },
})

const present = (row: AppRow, origin: string) => ({
  id: row.id,
  client_id: row.client_id,
  is_public: row.secret_hash === null,
  name: row.name,
  website: row.website,
  picture: fileUrl(origin, row.picture),
  redirect_uris: JSON.parse(row.redirect_uris) as string[],
  scopes: row.scopes.split(' '),
  date_create: row.date_create,
  grants: Number(row.grants),
})
