// Sign-in of a website by passport-streamvi, unmodified. Its addresses are constants, so that a subclass sets those of this service.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import passport from 'passport'
import { StreamViStrategy } from 'passport-streamvi'
import { expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { oauthScene } from '#server/testing/oauth-app.ts'

const scene = oauthScene()

/** The strategy of a website that uses this service. */
class Strategy extends StreamViStrategy {
  constructor(service: string, options: ConstructorParameters<typeof StreamViStrategy>[0]) {
    super(options)
    const places = this as unknown as { _tokenURL: string; _oauth2: { _authorizeUrl: string } }
    places._tokenURL = `${service}/site/oauth/token`
    places._oauth2._authorizeUrl = `${service}/cabinet/oauth`
  }
}

/** What the strategy gives the website, or why it failed. */
type Outcome = { readonly user: unknown } | { readonly failed: unknown }

/** A website with the routes `/login` and `/back`. @returns its address, and what its users signed in with */
async function website() {
  const outcomes: Outcome[] = []
  const authenticator = new passport.Passport()
  const server = createServer((request: IncomingMessage & { query?: unknown }, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://website')
    request.query = Object.fromEntries(searchParams)
    const done = (error: unknown, user: unknown, info: unknown) => {
      outcomes.push(user ? { user } : { failed: error ?? info })
      response.end(pathname)
    }
    authenticator.authenticate('streamvi', { session: false }, done)(request, response, done)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authenticator, outcomes }
}

test('signs a website in by passport-streamvi, and its token reads the project that the person chose', async () => {
  const { url, authenticator, outcomes } = await website()
  const callbackURL = `${url}/back`
  const app = await scene.register({ is_public: false, website: url, redirect_uris: [callbackURL] })
  const secrets = { clientID: app.client_id, clientSecret: app.client_secret ?? '' }
  authenticator.use(new Strategy(scene.base, { ...secrets, callbackURL }))
  const login = await fetch(`${url}/login`, { redirect: 'manual' })
  const landed = await scene.consent(new URL(login.headers.get('location') ?? ''))
  expect(landed.url.href).toContain(`${callbackURL}?code=`)
  await fetch(landed.url)
  const { id, external_id } = await scene.world.app.db
    .selectFrom('projects')
    .select(['id', 'external_id'])
    .where('id', '=', scene.ann.projectId)
    .executeTakeFirstOrThrow()
  expect(outcomes).toEqual([
    { user: { accessToken: expect.any(String), projectId: String(id), projectExternalId: external_id } },
  ])
  const { accessToken } = (outcomes[0] as { user: { accessToken: string } }).user
  expect((await scene.world.api(broadcasts.status, { project_id: id }, { as: accessToken })).status).toBe(200)

  // The code has been used.
  await fetch(landed.url)
  expect(outcomes[1]).toEqual({ failed: expect.stringContaining('400') })
  expect((await scene.world.api(broadcasts.status, { project_id: id }, { as: accessToken })).status).toBe(401)
})
