// An app of another maker in a test: registration, and connection by a browser and a client library.
import * as client from 'openid-client'
import { afterEach, beforeEach, expect } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { Input, Output } from '#contract/core/operation.ts'
import { openBrowser, type Shown } from './app-browser.ts'
import { type Person, testApp, type World } from './test-app.ts'

/** Redirect address of the app. */
export const back = 'https://app.example.com/back'

/** An app with its secret. */
export type App = Output<typeof apps.create>

interface Connected {
  readonly app: App
  readonly config: client.Configuration
  readonly tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers
  readonly landed: Shown
  readonly verifier: string
}

interface Place {
  readonly world: World
  /** Person that connects apps. */
  readonly ann: Person
  /** Address of the service. */
  readonly base: string
}

/** A service with a person, and the steps that connect apps to it. */
export type OAuthScene = Place & ReturnType<typeof oauthSteps>

/**
 * Starts a service before each test of a file, and ends it after. @returns the scene of the running test
 * @param env variables of the service
 */
export function oauthScene(env: Readonly<Record<string, string>> = {}): OAuthScene {
  const scene = {} as OAuthScene
  beforeEach(async () => {
    const world = await testApp(env)
    // Client libraries verify times by the clock of the machine.
    world.clock.set(new Date())
    const place = { world, ann: await world.user(), base: (await world.app.listen()).url }
    Object.assign(scene, place, oauthSteps(place))
  })
  afterEach(() => scene.world.close())
  return scene
}

function oauthSteps({ world, ann, base }: Place) {
  async function register(more: Partial<Input<typeof apps.create>> = {}): Promise<App> {
    const developer = await world.user('Developer')
    const fields = { name: 'Deck', website: 'https://app.example.com', redirect_uris: [back] }
    const { body, error } = await world.api(
      apps.create,
      { ...fields, scopes: ['broadcasts:read', 'control'], is_public: true, ...more },
      { as: developer },
    )
    if (error) throw new Error(error.msg)
    return body
  }

  const authOf = ({ client_secret: secret }: App) => (secret === null ? client.None() : client.ClientSecretPost(secret))

  async function discover(app: App): Promise<client.Configuration> {
    return client.discovery(new URL(base), app.client_id, undefined, authOf(app), {
      execute: [client.allowInsecureRequests],
    })
  }

  /** Opens an address of the authorization, signs in, and answers the consent. @returns where the browser ends */
  async function consent(url: URL, answer: 'allow' | 'deny' = 'allow', person = ann, projectId = person.projectId) {
    const browser = openBrowser(base)
    const signIn = await browser.load(url)
    if (!signIn.text.includes('name="password"')) return { ...signIn, asked: signIn }
    const asked = await browser.submit(signIn, { email: person.email, password: person.password })
    expect(asked.text).toContain('name="project_id"')
    return { ...(await browser.submit(asked, { answer, project_id: String(projectId) })), asked }
  }

  /** Connects an app to the project of a person. */
  async function connect(
    app: App,
    scope = 'openid offline_access broadcasts:read',
    person = ann,
    projectId = person.projectId,
  ): Promise<Connected> {
    const config = await discover(app)
    const verifier = client.randomPKCECodeVerifier()
    const isOpenId = scope.includes('openid')
    const nonce: Record<string, string> = isOpenId ? { nonce: 'the-nonce' } : {}
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: back,
      scope,
      state: 'the-state',
      ...nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const landed = await consent(url, 'allow', person, projectId)
    if (landed.url.searchParams.has('error')) throw new Error(landed.url.href)
    const checks = {
      pkceCodeVerifier: verifier,
      expectedState: 'the-state',
      ...(isOpenId && { expectedNonce: 'the-nonce' }),
    }
    const tokens = await client.authorizationCodeGrant(config, withoutProject(landed.url), checks)
    return { app, config, tokens, landed, verifier }
  }

  /** The published parameter is no part of the standard. */
  function withoutProject(url: URL): URL {
    const copy = new URL(url)
    copy.searchParams.delete('project_id')
    return copy
  }

  const statusOf = async (token: string, projectId = ann.projectId) =>
    (await world.api(broadcasts.status, { project_id: projectId }, { as: token })).status

  return { register, discover, consent, connect, withoutProject, statusOf }
}
