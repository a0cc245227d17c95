// OAuth against a real OpenID Provider on the loopback interface: the complete flow, and refusals.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdDouble, type OpenIdDouble } from '#server/testing/providers/openid.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { beginOAuth, finishOAuth, refreshTokens, revokeTokens } from './oauth.ts'
import { keepAnswer, redeemState } from './oauth-state.ts'

let double: OpenIdDouble
let world: World

beforeAll(async () => {
  double = await openIdDouble()
  world = await testApp({
    GOOGLE_CLIENT_ID: 'google-id',
    GOOGLE_CLIENT_SECRET: 'google-secret',
    TWITCH_CLIENT_ID: 'half of a registration',
    PROVIDER_BASES: `google=${double.base}`,
  })
})
afterAll(async () => {
  await world.close()
  await double.close()
})

const redirectUri = 'http://relay.test/method/auth/callback/google'
const begin = (scopes = ['openid', 'email'], purpose: 'sign-in' | 'platform' = 'sign-in') =>
  beginOAuth(world.services, world.services.db, {
    provider: 'google',
    purpose,
    redirectUri,
    scopes,
    data: { app: 'site' },
  })
const queryOf = (url: URL) => Object.fromEntries(url.searchParams)
const finish = (answer: Record<string, string>, purpose: 'sign-in' | 'platform' = 'sign-in') =>
  finishOAuth(world.services, { provider: 'google', purpose, answer })

test('returns tokens, claims and the stored data after consent', async () => {
  const url = await begin()
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
  const back = await double.answer(url)
  expect(back.href).toMatch(redirectUri)
  const { begun, tokens } = await finish(queryOf(back))
  expect(begun).toMatchObject({ data: { app: 'site' }, userId: null })
  expect(tokens.claims).toMatchObject({ sub: 'person-1', email: 'ann@example.com' })
  expect(tokens.expires).toMatch(/^2026-03-01T/)

  const next = await refreshTokens(world.services, 'google', tokens)
  expect(next.accessToken).not.toBe(tokens.accessToken)
  expect(next.refreshToken).toBe(tokens.refreshToken)
  await revokeTokens(world.services, 'google', next)
  await expect(refreshTokens(world.services, 'google', tokens)).rejects.toMatchObject({ name: 'RefreshRejected' })
})

test('accepts a response once', async () => {
  const answer = queryOf(await double.answer(await begin()))
  const both = await Promise.allSettled([finish(answer), finish(answer)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(finish(answer)).rejects.toMatchObject({ name: 'AuthorizationExpired' })
})

test('refuses a response for another purpose, or after the expiry', async () => {
  await expect(finish(queryOf(await double.answer(await begin())), 'platform')).rejects.toMatchObject({
    name: 'AuthorizationExpired',
  })
  const late = queryOf(await double.answer(await begin()))
  world.clock.advance(16 * 60_000)
  await expect(finish(late)).rejects.toMatchObject({ name: 'AuthorizationExpired' })
})

test('reports a declined consent', async () => {
  const answer = queryOf(await double.answer(await begin(), 'decline'))
  await expect(finish(answer)).rejects.toMatchObject({ name: 'AuthorizationDeclined' })
})

test('refuses a code from another browser, which lacks the verifier', async () => {
  const [mine, theirs] = [await begin(), await begin()]
  const stolen = queryOf(await double.answer(theirs))
  const state = new URL(mine).searchParams.get('state') ?? ''
  await expect(finish({ ...stolen, state })).rejects.toMatchObject({ name: 'AuthorizationRejected' })
})

test('stores a sealed response until its initiator confirms it', async () => {
  const answer = queryOf(await double.answer(await begin(['https://www.googleapis.com/auth/youtube'], 'platform')))
  const kept = { provider: 'google', purpose: 'platform', answer } as const
  const waiting = await keepAnswer(world.services, world.services.db, kept)
  expect(waiting?.begun).toMatchObject({ data: { app: 'site' } })
  expect(await keepAnswer(world.services, world.services.db, kept)).toBeNull()
  const rows = await world.services.db.selectFrom('oauth_states').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(answer['code'])
  expect(JSON.stringify(rows)).not.toContain(answer['state'])
  const redeem = (state = '') => redeemState(world.services, world.services.db, { state, purposes: ['platform'] })
  // The initiator knows the state, and may have sent another person to consent.
  expect(await redeem(answer['state'])).toBeNull()
  expect(await redeem(waiting?.ticket)).toMatchObject({ answer, state: answer['state'] })
  expect(await redeem(waiting?.ticket)).toBeNull()
})

test('starts no authorization without a complete registration', async () => {
  const at = (provider: 'twitch' | 'trovo') =>
    beginOAuth(world.services, world.services.db, { provider, purpose: 'platform', redirectUri, scopes: [] })
  await expect(at('twitch')).rejects.toMatchObject({ name: 'ProviderNotConfigured', data: { provider: 'twitch' } })
  await expect(at('trovo')).rejects.toMatchObject({ name: 'ProviderNotConfigured' })
})

test('distinguishes an unreachable provider from a refusal', async () => {
  const { iss: _, ...answer } = queryOf(await double.answer(await begin()))
  const away = { ...world.services.config, providerBases: new Map([['google', 'http://127.0.0.1:1']] as const) }
  const services = { ...world.services, config: away }
  await expect(finishOAuth(services, { provider: 'google', purpose: 'sign-in', answer })).rejects.toMatchObject({
    name: 'ProviderUnavailable',
  })
})

test('logs no secret', () => {
  expect(world.logged.join('')).not.toMatch(/google-secret|code_verifier|access_token/)
})
