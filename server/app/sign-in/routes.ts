// Signing in and up with an e-mail and a password: pages of the service, outside of the API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserSeconds, browserState } from '#server/areas/account/browser.ts'
import { beginSignIn, readyProvider } from '#server/areas/account/social-login.ts'
import type { Services } from '#server/core/context.ts'
import { setCookie } from '#server/core/cookies.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { originOf } from '#server/core/http.ts'
import { root } from '#server/core/root.ts'
import * as accounts from '#server/domain/account/accounts.ts'
import { transaction } from '#server/db/transaction.ts'
import { createAccount } from '#server/domain/projects/sign-up.ts'
import { lockUser } from '#server/domain/account/store.ts'
import { returnTo, withCode } from '#server/domain/account/return-to.ts'
import { rememberDevice } from './device-cookie.ts'
import { Form, languageOf, render, take } from './forms.ts'
import { serveEmailLink } from './email-link.ts'
import { serveRecovery } from './recovery.ts'
import { serveTelegram } from './telegram.ts'

const style = readFileSync(join(root, 'server/app/sign-in/style.css'), 'utf8')

type Request = FastifyRequest
/** A user, and the password that was verified, if any. */
type Known = { readonly id: number; readonly passwordHash?: string | null }

/** Adds the pages. */
export async function serveSignIn(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(formbody, { bodyLimit: 16_384 })
  app.get('/auth/local/style.css', (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
  )
  serveTelegram(app, services)
  serveRecovery(app, services)
  serveEmailLink(app, services)
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
        const user: Known | null = await (kind === 'sign-in' ? signIn(services, form) : signUp(services, request, form))
        const to = user && (await returnUrl(services, form, back, user))
        if (!to) return again([{ text: 'wrong' }])
        rememberDevice(services.config, request, reply, form.email)
        return reply.redirect(to, 303)
      }),
    )
  }
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
    currency: accounts.currencyFor(language),
    billing: form.billing,
    ...(form.code === '' ? {} : { code: form.code }),
  })
  services.caches.drop()
  return user
}

/** Back to where sign-in began, with a code; an account that was made from a link begins at the front door. */
async function returnUrl(services: Services, { redirect, state, app }: Form, back: URL, user: Known) {
  if (redirect === '') return '/'
  return transaction(services.db, async (trx) => {
    const { password_hash: kept } = await lockUser(trx, user.id)
    // The password may have been changed since it was compared.
    if (user.passwordHash !== undefined && user.passwordHash !== kept) return null
    return withCode(services, trx, back, { userId: user.id, app, state })
  })
}
