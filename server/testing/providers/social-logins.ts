// Social logins for tests: Google is a real OpenID Provider on loopback, VK a test double of its API, and
// Telegram's signatures use the token of a test bot.
import { auth } from '#contract/areas/account/auth.ts'
import { socials } from '#contract/areas/account/socials.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { openIdDouble, type OpenIdDouble } from './openid.ts'
import { botToken, signed } from './telegram-login.ts'
import { vkDouble, type VkDouble } from './vk.ts'

/** State of the browser that begins. */
export const state = 'a-state-of-the-browser-1'
/** Address that the sign-in returns to. */
export const redirect = 'http://localhost/auth/callback'

const accountPage = 'http://localhost/account/socials'

type Name = 'google' | 'vk' | 'vk-id'
type Fields = ReturnType<SocialLogins['telegramOf']>

/** Test service that is registered at all providers, with the steps of a browser in a sign-in. */
export class SocialLogins {
  readonly google: OpenIdDouble
  readonly vk: VkDouble
  readonly world: World
  /** Settings of the service, for further services like it. */
  readonly env: Readonly<Record<string, string>>
  /** Number of users so far; provider ids are derived from it. */
  count = 0

  private constructor(google: OpenIdDouble, vk: VkDouble, env: Readonly<Record<string, string>>, world: World) {
    this.google = google
    this.vk = vk
    this.env = env
    this.world = world
  }

  static async start(): Promise<SocialLogins> {
    const [google, vk] = await Promise.all([openIdDouble(), vkDouble()])
    const env = {
      GOOGLE_CLIENT_ID: 'google-id',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      VK_CLIENT_ID: 'vk-id',
      VK_CLIENT_SECRET: 'vk-secret',
      VK_ID_CLIENT_ID: 'vk-id-id',
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_BOT_NAME: 'relay_test_bot',
      PROVIDER_BASES: `google=${google.base},vk=${vk.base},vk-id=${vk.base},telegram=http://127.0.0.1:9`,
    }
    return new SocialLogins(google, vk, env, await testApp(env))
  }

  async close(): Promise<void> {
    await this.world.close()
    await Promise.all([this.google.close(), this.vk.close()])
  }

  /** Makes a new user the next to accept. */
  nextPerson(): void {
    this.count += 1
    this.google.person = {
      id: `person-${this.count}`,
      name: 'Ann Example',
      email: `person-${this.count}@example.com`,
    }
    this.vk.person = { id: 1000 + this.count, firstName: 'Вера', lastName: 'Иванова' }
  }

  /** Returns the address at the provider to which the service redirects a sign-in. */
  async urlOf(provider: Name | 'telegram', more: object = {}, at = this.world): Promise<string> {
    return (await at.api(auth.redirectUrl, { provider, redirect, state, ...more })).body.url
  }

  /** Accepts at the provider. @returns the redirect address */
  async answerOf(provider: Name, url: string): Promise<URL> {
    return provider === 'google' ? this.google.answer(url) : this.vk.answer(url)
  }

  /** Follows the provider's redirect to the service. @returns query parameters of the return to the dashboard */
  async follow(back: URL, at = this.world, cookie = ''): Promise<URLSearchParams> {
    const { headers, body } = await at.app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie } })
    if (headers.location === undefined) throw new Error(body)
    return new URL(headers.location).searchParams
  }

  /** Signs in, from begin to end. */
  async signIn(provider: Name, more: object = {}, at = this.world): Promise<URLSearchParams> {
    return this.follow(await this.answerOf(provider, await this.urlOf(provider, more, at)), at)
  }

  /** Exchanges the code as the dashboard does. @throws Error when the service refuses */
  async exchange(ended: URLSearchParams, at = this.world): Promise<Person> {
    const given = { code: ended.get('code') ?? '', state: ended.get('state') ?? undefined }
    if (given.code === '') throw new Error(`No code, but ${ended.toString()}`)
    return { ...(await at.api(auth.exchange, given)).body, id: 0, email: '', password: '', projectId: 0 }
  }

  async me(as: Person, at = this.world) {
    return (await at.api(auth.me, {}, { as })).body
  }

  /** Social logins of a user. */
  async connected(as: Person) {
    return (await this.world.api(socials.list, {}, { as })).body
  }

  /** Begins to connect an account and accepts at the provider. @returns the redirect address */
  async beginConnect(as: Person, provider: Name): Promise<URL> {
    const wanted = { provider, redirect: accountPage }
    const { body } = await this.world.api(auth.connect, wanted, { as })
    return this.answerOf(provider, body.url)
  }

  endConnect(as: Person, message: string) {
    return this.world.api(auth.connectCallback, { message }, { as })
  }

  async connect(as: Person, provider: Name) {
    const back = await this.follow(await this.beginConnect(as, provider))
    return this.endConnect(as, back.get('message') ?? '')
  }

  /** Connects Telegram up to the redirect of its widget. @returns the cookie of the browser */
  async returnFromTelegram(as: Person, fields: Fields): Promise<string> {
    const { headers } = await this.world.app.inject({ url: await this.telegramReturn(as, fields) })
    return String(headers['set-cookie']).split(';')[0] ?? ''
  }

  /** Returns the address to which Telegram's widget redirects a connecting user's browser. */
  async telegramReturn(as: Person, fields: Fields): Promise<string> {
    const { body } = await this.world.api(auth.connect, { provider: 'telegram', redirect: accountPage }, { as })
    const page = await this.world.app.inject({ url: body.url })
    const to = new URL(/data-auth-url="([^"]+)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? '')
    for (const [name, value] of Object.entries(fields)) to.searchParams.set(name, String(value))
    return `${to.pathname}${to.search}`
  }

  /** Signed fields of Telegram's widget for a user. */
  telegramOf(id: number, at = this.world.clock.now()) {
    return signed({ id, first_name: 'Таня', username: 'tanya', auth_date: Math.floor(at.getTime() / 1000) })
  }

  async byTelegram(fields: Fields, at = this.world, more: object = {}): Promise<URLSearchParams> {
    const query = Object.entries({ ...fields, redirect, state, app: 'site', ...more })
      .filter(([, value]) => value !== '')
      .map(([key, value]) => [key, String(value)])
    return this.follow(new URL(`${redirectBase}?${new URLSearchParams(Object.fromEntries(query)).toString()}`), at)
  }
}

const redirectBase = `http://localhost${auth.authTelegram.path}`
