// The page with Telegram's login widget. The widget is a script of Telegram's, so it has a page to itself, where nothing
// else is: no form, no cookie, no token.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { auth } from '#contract/areas/account/auth.ts'
import { numberish } from '#contract/core/lenient.ts'
import { App, Language } from '#contract/core/wire.ts'
import { browserSeconds } from '#server/areas/account/browser.ts'
import { telegramMessage } from '#server/areas/account/social-login.ts'
import type { Services } from '#server/core/context.ts'
import { setCookie } from '#server/core/cookies.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { originOf } from '#server/core/http.ts'
import { returnTo } from '#server/domain/account/return-to.ts'
import { hasTelegram } from '#server/domain/account/sign-in-providers.ts'
import { type Html, html } from '#server/app/http/html.ts'
import { frame } from './page.ts'
import { texts } from './texts.ts'

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
  "img-src 'self'",
  'script-src https://telegram.org',
  'frame-src https://oauth.telegram.org',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Adds the page. */
export function serveTelegram(app: FastifyInstance, services: Services): void {
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
