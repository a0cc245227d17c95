// Signing in and up with an e-mail and a password: pages of the service, outside of the API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { currencyOfLanguage } from '#contract/entities/currencies.ts'
import { browserSeconds, browserState } from '#server/areas/account/browser.ts'
import { beginSignIn, readyProvider, telegramMessage } from '#server/areas/account/social-login.ts'
import type { Services } from '#server/core/context.ts'
import { setCookie } from '#server/core/cookies.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { originOf } from '#server/core/http.ts'
import { root } from '#server/core/root.ts'
import * as accounts from '#server/domain/account/accounts.ts'
import { transaction } from '#server/db/transaction.ts'
import { createAccount } from '#server/domain/projects/sign-up.ts'
import { lockUser } from '#server/domain/account/store.ts'
import { proveByPasskey } from '#server/domain/account/passkeys.ts'
import { returnTo, withCode } from '#server/domain/account/return-to.ts'
import { afterFirstStep } from '#server/domain/account/second-step.ts'
import { rememberDevice } from './device-cookie.ts'
import { type Again, Form, languageOf, render, take } from './forms.ts'
import { serveEmailLink } from './email-link.ts'
import { serveRecovery } from './recovery.ts'
import { assertionIn, servePasskeys } from './passkeys.ts'
import { browserOf, notPassed, serveSecondStep } from './second-step.ts'
import * as z from 'zod/mini'
import { auth } from '#contract/areas/account/auth.ts'
import { numberish } from '#contract/core/lenient.ts'
import { App, Language } from '#contract/core/wire.ts'
import { hasTelegram } from '#server/domain/account/sign-in-providers.ts'
import { builtFontFaces } from '#server/app/http/dashboard.ts'
import { type Html, html } from '#server/app/http/html.ts'
import { frame } from './page.ts'
import { texts } from './texts.ts'

// The page with Telegram's login widget. The widget is a script of Telegram's, so it has a page to itself, where nothing
// else is: no form, no cookie, no token.

const line = z.catch(z.string().check(z.maxLength(2000), z.regex(/^[^\0\r\n]*$/)), '')
const Query = z.object({
  redirect: line,
  state: line,
  app: z.catch(App, 'site'),
  language: z.catch(Language, 'en'),
  code: line,
  connect: line,
})
type Query = z.output<typeof Query>

const connectPath = '/auth/local/telegram/connect'
const widget = 'https://telegram.org/js/telegram-widget.js?22'
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  'script-src https://telegram.org',
  'frame-src https://oauth.telegram.org',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Adds the page. */
function serveTelegram(app: FastifyInstance, services: Services): void {
  app.get('/auth/local/telegram', { config: { operation: 'sign-in' } }, (request, reply) => {
    if (!hasTelegram(services.config)) throw new NotFoundError()
    const query = Query.parse(request.query ?? {})
    // Telegram sends the signed user to this address.
    const back = returnTo(query.redirect || undefined, originOf(request, services.config.publicUrl), services.config)
    const t = texts[query.language]
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'origin', 'x-frame-options': 'DENY' })
    const body = back
      ? button(services, request, query, back)
      : html`<p class="problems" role="alert">${t.badReturn}</p>`
    const text = frame({ language: query.language, title: t.withTelegram, body: html`${body}` })
    return reply
      .code(back ? 200 : 400)
      .type('text/html; charset=utf-8')
      .send(text)
  })
  app.get(connectPath, { config: { operation: 'sign-in' } }, (request, reply) => comeBack(services, request, reply))
}

/** Parameters that the widget and the page add to the address. */
const Answer = z.object({
  redirect: line,
  connect: line,
  auth_date: numberish,
  id: numberish,
  first_name: line,
  hash: line,
  last_name: z.optional(line),
  username: z.optional(line),
  photo_url: z.optional(line),
})

/** To the dashboard, which connects with the token of the caller and a message that only this browser has. */
function comeBack(services: Services, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const read = Answer.safeParse(request.query)
  if (!hasTelegram(services.config) || !read.success) throw new NotFoundError()
  const { redirect, connect, ...fields } = read.data
  const back = returnTo(redirect, originOf(request, services.config.publicUrl), services.config)
  if (!back) throw new NotFoundError()
  const message = telegramMessage(services, { connect, fields })
  setCookie(request, reply, {
    name: 'rd_telegram',
    value: message,
    path: auth.connectTelegram.path,
    seconds: browserSeconds,
  })
  back.searchParams.set('message', message)
  return reply.redirect(back.href, 303)
}

function button({ config }: Services, request: FastifyRequest, query: Query, back: URL): Html {
  const t = texts[query.language]
  const origin = originOf(request, config.publicUrl)
  const to = query.connect === '' ? signInUrl(origin, query) : connectUrl(origin, back, query)
  return html`<p class="note">${t.telegramHint}</p>
    <div class="widget">
      <script
        async
        src="${widget}"
        data-telegram-login="${config.telegramBotName}"
        data-size="large"
        data-auth-url="${to}"
      ></script>
      <noscript>${t.needsScript}</noscript>
    </div>
    <p class="other"><a href="${back.origin}">${t.toDashboard}</a></p>`
}

/** To the service, which signs in. */
function signInUrl(origin: string, { redirect, state, app, language, code }: Query): string {
  const fields = Object.entries({ redirect, state, app, language, refId: code }).filter(([, value]) => value !== '')
  return `${origin}/method/auth/auth-telegram?${new URLSearchParams(Object.fromEntries(fields)).toString()}`
}

function connectUrl(origin: string, back: URL, { connect }: Query): string {
  return `${origin}${connectPath}?${new URLSearchParams({ connect, redirect: back.href }).toString()}`
}

const style = readFileSync(join(root, 'server/app/sign-in/style.css'), 'utf8')

type Request = FastifyRequest
/** A user, and the password that was verified, if any. */
type Known = { readonly id: number; readonly passwordHash?: string | null }

/** Adds the pages. */
export async function serveSignIn(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(formbody, { bodyLimit: 16_384 })
  const sheet = `${builtFontFaces()}\n${style}`
  app.get('/auth/local/style.css', (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(sheet),
  )
  serveTelegram(app, services)
  serveRecovery(app, services)
  serveEmailLink(app, services)
  serveSecondStep(app, services)
  servePasskeys(app, services)
  app.get('/auth/local/with/:provider', { config: { operation: 'sign-in' } }, (request, reply) =>
    leave(services, request, reply),
  )
  for (const kind of ['sign-in', 'sign-up'] as const) {
    const config = { operation: kind }
    app.get(`/auth/local/${kind}`, { config }, (request, reply) =>
      render(services, kind, request, reply, { form: Form.parse(request.query ?? {}), problems: [], status: 200 }),
    )
    app.post(`/auth/local/${kind}`, { config }, (request, reply) =>
      take(services, kind, request, reply, async (form, again) => {
        const back = returnTo(form.redirect || undefined, originOf(request, services.config.publicUrl), services.config)
        if (!back) return again([{ text: 'badReturn' }], 400)
        if (kind === 'sign-in' && form.passkey !== '') return byPasskey(services, request, reply, { form, back, again })
        const user: Known | null = await (kind === 'sign-in' ? signIn(services, form) : signUp(services, request, form))
        const to = user && (await returnUrl(services, request, form, back, user))
        if (!to) return again([{ text: 'wrong' }])
        rememberDevice(services.config, request, reply, form.email)
        return reply.redirect(to, 303)
      }),
    )
  }
}

/** Signs in by a passkey: it proves the device and its user, so there is no second step. */
async function byPasskey(
  services: Services,
  request: Request,
  reply: FastifyReply,
  { form, back, again }: { readonly form: Form; readonly back: URL; readonly again: Again },
): Promise<FastifyReply> {
  const response = assertionIn(form)
  if (!response) return again([{ text: 'passkeyWrong' }])
  const origin = originOf(request, services.config.publicUrl)
  const { app, state, redirect } = form
  const result = await transaction(services.db, async (trx) => {
    const proof = await proveByPasskey(services, trx, { response, origin }, null)
    if (proof?.verdict !== 'passed') return { verdict: proof?.verdict ?? 'wrong' } as const
    return { to: redirect === '' ? '/' : await withCode(services, trx, back, { userId: proof.userId, app, state }) }
  })
  return 'to' in result ? reply.redirect(result.to, 303) : notPassed(result.verdict, form, again, reply)
}

/** To a provider, on the way that the page was on. */
async function leave(services: Services, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const form = Form.parse(request.query ?? {})
  const { redirect, state, app, code } = form
  const { provider } = request.params as { readonly provider: string }
  const ready = readyProvider(services, provider)
  const origin = originOf(request, services.config.publicUrl)
  const back = returnTo(redirect || undefined, origin, services.config)
  if (!ready || !back) throw new NotFoundError()
  const language = languageOf(form, request)
  const cookie = request.headers.cookie ?? ''
  const call = { ...services, origin, language, address: request.ip, userAgent: '', cookie, requestId: request.id }
  const flow = { app, state: state || bind(request, reply, cookie), language, code }
  return reply.redirect(await beginSignIn(call, ready, back, flow), 303)
}

/** The state of a sign-in whose client gave none: it belongs to this browser. */
function bind(request: Request, reply: FastifyReply, cookie: string): string {
  const { state, value } = browserState(cookie)
  setCookie(request, reply, { name: 'rd_sign_in', value, path: '/', seconds: browserSeconds })
  return state
}

const signIn = (services: Services, { email, password }: Form) => accounts.findByPassword(services, email, password)

async function signUp(services: Services, request: Request, form: Form) {
  const language = languageOf(form, request)
  const user = await createAccount(services, {
    email: form.email,
    password: form.password,
    firstName: form.name.trim(),
    language,
    currency: currencyOfLanguage(language),
    billing: form.billing,
    ...(form.code === '' ? {} : { code: form.code }),
  })
  services.caches.drop()
  return user
}

/** Back to where sign-in began, with a code; an account that was made from a link begins at the front door. */
async function returnUrl(services: Services, request: Request, form: Form, back: URL, user: Known) {
  const { redirect, state, app } = form
  if (redirect === '') return '/'
  const language = languageOf(form, request)
  const origin = originOf(request, services.config.publicUrl)
  return transaction(services.db, async (trx) => {
    const { password_hash: kept } = await lockUser(trx, user.id)
    // The password may have been changed since it was compared.
    if (user.passwordHash !== undefined && user.passwordHash !== kept) return null
    const first = { userId: user.id, app, state, language, origin, browser: browserOf(request) }
    return afterFirstStep(services, trx, back, first)
  })
}
