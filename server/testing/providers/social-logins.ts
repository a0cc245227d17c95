// Social logins for tests: Google is a real OpenID Provider on this machine, VK a double of its API, and
// Telegram's signatures are made with a token of a test.
import { auth } from '#contract/areas/account/auth.ts'
import { socials } from '#contract/areas/account/socials.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { openIdDouble, type OpenIdDouble } from './openid.ts'
import { botToken, signed } from './telegram-login.ts'
import { vkDouble, type VkDouble } from './vk.ts'

/** The random value of the browser that begins. */
export const state = 'a-state-of-the-browser-1'
/** Where it wants to end. */
export const redirect = 'http://localhost/auth/callback'

const accountPage = 'http://localhost/account/socials'

type Name = 'google' | 'vk' | 'vk-id'
type Fields = ReturnType<SocialLogins['telegramOf']>

/** A world with a service that is registered everywhere, and what browsers do there. */
export class SocialLogins {
  readonly google: OpenIdDouble
  readonly vk: VkDouble
  readonly world: World
  /** The settings of the service, for others like it. */
  readonly env: Readonly<Record<string, string>>
  /** How many people there have been: ids of providers are made of it. */
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
      PROVIDER_BASES: `google=${google.base},vk=${vk.base},vk-id=${vk.base}`,
    }
    return new SocialLogins(google, vk, env, await testApp(env))
  }

  async close(): Promise<void> {
    await this.world.close()
    await Promise.all([this.google.close(), this.vk.close()])
  }

  /** Somebody whom nobody has seen yet is the one who says yes next. */
  nextPerson(): void {
    this.count += 1
    this.google.person = {
      id: `person-${this.count}`,
      name: 'Ann Example',
      email: `person-${this.count}@example.com`,
    }
    this.vk.person = { id: 1000 + this.count, firstName: 'Вера', lastName: 'Иванова' }
  }

  /** Where the service sends a browser that wants to sign in. */
  async urlOf(provider: Name | 'telegram', more: object = {}, at = this.world): Promise<string> {
    return (await at.api(auth.redirectUrl, { provider, redirect, state, ...more })).body.url
  }

  /** Says yes. @returns where the provider sends the browser */
  async answerOf(provider: Name, url: string): Promise<URL> {
    return provider === 'google' ? this.google.answer(url) : this.vk.answer(url)
  }

  /** A browser follows a provider's answer to the service. @returns what it comes back to the dashboard with */
  async follow(back: URL, at = this.world, cookie = ''): Promise<URLSearchParams> {
    const { headers, body } = await at.app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie } })
    if (headers.location === undefined) throw new Error(body)
    return new URL(headers.location).searchParams
  }

  /** All of it. */
  async signIn(provider: Name, more: object = {}, at = this.world): Promise<URLSearchParams> {
    return this.follow(await this.answerOf(provider, await this.urlOf(provider, more, at)), at)
  }

  /** The dashboard ends it. @throws Error when the service said no */
  async exchange(ended: URLSearchParams, at = this.world): Promise<Person> {
    const given = { code: ended.get('code') ?? '', state: ended.get('state') ?? undefined }
    if (given.code === '') throw new Error(`No code, but ${ended.toString()}`)
    return { ...(await at.api(auth.exchange, given)).body, id: 0, email: '', password: '', projectId: 0 }
  }

  async me(as: Person, at = this.world) {
    return (await at.api(auth.me, {}, { as })).body
  }

  /** What a person has connected. */
  async connected(as: Person) {
    return (await this.world.api(socials.list, {}, { as })).body
  }

  /** Begins, and says yes at the provider. @returns where the provider sends the browser */
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

  /** A person begins to connect Telegram, and its widget sends the browser back. @returns the cookie of the browser */
  async returnFromTelegram(as: Person, fields: Fields): Promise<string> {
    const { headers } = await this.world.app.inject({ url: await this.telegramReturn(as, fields) })
    return String(headers['set-cookie']).split(';')[0] ?? ''
  }

  /** Where Telegram's widget sends the browser of a person who connects. */
  async telegramReturn(as: Person, fields: Fields): Promise<string> {
    const { body } = await this.world.api(auth.connect, { provider: 'telegram', redirect: accountPage }, { as })
    const page = await this.world.app.inject({ url: body.url })
    const to = new URL(/data-auth-url="([^"]+)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? '')
    for (const [name, value] of Object.entries(fields)) to.searchParams.set(name, String(value))
    return `${to.pathname}${to.search}`
  }

  /** What Telegram's widget says about somebody. */
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
