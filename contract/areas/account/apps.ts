// Third-party apps: registration by developers, connections of users. Ours: the published panel has no API.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { appScopes } from '#contract/core/scopes.ts'
import { Id, listOf, Nothing, Success } from '#contract/core/wire.ts'
import { Uploaded } from '#contract/core/upload.ts'
import { ConnectedApp } from '#contract/entities/connected-app.ts'

/** Limits of an app. */
export const appLimits = { name: 60, uris: 10, uri: 500 } as const

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(appLimits.name), z.regex(/^\P{Cc}*$/u))
const uri = z.string().check(z.minLength(1), z.maxLength(appLimits.uri))

const fields = {
  name,
  website: z.string().check(z.maxLength(appLimits.uri), z.regex(/^https?:\/\/[^\s/@]+(?:\/\S*)?$/)),
  redirect_uris: z.array(uri).check(z.minLength(1), z.maxLength(appLimits.uris)),
  scopes: z.array(z.enum(appScopes)).check(z.minLength(1), z.maxLength(appScopes.length)),
}
const fieldNotes = {
  website: 'shown in the consent',
  redirect_uris: 'exact addresses: https, loopback, or a scheme of the app (`com.example.app:/back`)',
  scopes: 'most that the app may ask for; also what it asks for when a request names none',
}

/** An app, without its secret. */
export const RegisteredApp = z.object({
  id: Id,
  client_id: z.string(),
  is_public: z.boolean(),
  name: z.string(),
  website: z.string(),
  picture: z.string(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  date_create: DateTime,
  grants: z.int(),
})
export type RegisteredApp = z.output<typeof RegisteredApp>

const Secret = z.object({ client_secret: z.nullable(z.string()) })

export const apps = group(
  'account.apps',
  { prefix: 'account/apps', title: 'Apps', stale: ['account.apps'] },
  {
    list: read('', {
      name: 'Apps that the signed-in person develops',
      input: Nothing,
      output: listOf(RegisteredApp),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      notes: {
        is_public: 'without a secret, as on a desktop or a phone',
        grants: 'connections of people and projects',
        picture: 'URL; empty without a picture',
      },
    }),
    create: write('POST', '', {
      name: 'Register an app',
      input: z.object({ ...fields, is_public: z._default(z.boolean(), false) }),
      output: z.extend(RegisteredApp, Secret.shape),
      status: 201,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: { ...fieldNotes, client_secret: 'shown once; null for a public app' },
    }),
    update: write('POST', 'update', {
      name: 'Change an app',
      input: z.object({ app_id: Id, ...fields }),
      output: Success,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      notes: { ...fieldNotes, scopes: 'existing connections keep the scopes that were granted' },
    }),
    picture: write('POST', 'picture', {
      name: 'Change the picture of an app',
      placement: 'multipart',
      input: z.object({ app_id: Id, picture: Uploaded }),
      output: z.object({ picture: z.string() }),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      notes: { picture: 'JPEG or PNG, at most 2 MB; shown in the consent and in lists of apps' },
    }),
    secret: write('POST', 'secret', {
      name: 'Replace the secret of an app',
      input: z.object({ app_id: Id }),
      output: z.object({ client_secret: z.string() }),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: { client_secret: 'shown once; the old one ends immediately' },
    }),
    remove: write('POST', 'remove', {
      name: 'Delete an app',
      input: z.object({ app_id: Id }),
      output: Success,
      auth: 'session',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      notes: { app_id: 'all its connections end' },
    }),
    connected: read('connected', {
      name: 'Apps that the signed-in person connected',
      input: Nothing,
      output: listOf(ConnectedApp),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
    }),
    disconnect: write('POST', 'disconnect', {
      name: 'Disconnect an app',
      input: z.object({ grant_id: Id }),
      output: Success,
      auth: 'session',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      notes: { grant_id: 'its tokens and open realtime connections end within a second' },
    }),
  },
)
