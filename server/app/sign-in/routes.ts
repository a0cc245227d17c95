// Signing in and up with an e-mail and a password: pages of the service, outside of the API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { App, Language } from '#contract/core/wire.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'
import { beginSignIn } from '#server/areas/account/elsewhere.ts'
import type { Services } from '#server/core/context.ts'
import { NotFoundError, RateLimitedError, RuleError } from '#server/core/errors.ts'
import { originOf } from '#server/core/http.ts'
import { networkOf } from '#server/core/limits.ts'
import { root } from '#server/core/root.ts'
import { hashOf } from '#server/core/secrets.ts'
import * as accounts from '#server/domain/accounts.ts'
import { transaction } from '#server/db/transaction.ts'
import { invitationOf } from '#server/domain/codes.ts'
import { holdPerson } from '#server/domain/people.ts'
import { returnTo, withCode } from '#server/domain/return-to.ts'
import { offeredProviders } from '#server/domain/sign-in-providers.ts'
import { formToken, isOwnForm } from './csrf.ts'
import { type Flow, page, type View } from './page.ts'
import { serveTelegram } from './telegram.ts'

const perMinute = { address: 30, account: 10 }
const style = readFileSync(join(root, 'server/app/sign-in/style.css'), 'utf8')

/** What cannot be read counts as not sent. */
const line = (max: number) => z.catch(z.string().check(z.maxLength(max), z.regex(/^[^\0\r\n]*$/)), '')
const Form = z.object({
  redirect: line(2000),
  state: line(200),
  app: z.catch(App, 'site'),
  language: z.catch(z.optional(Language), undefined),
  code: line(200),
  csrf: line(100),
  email: line(254),
  name: line(100),
  password: z.catch(z.string().check(z.maxLength(passwordMax)), ''),
})
type Form = z.output<typeof Form>

type Problem = NonNullable<View['problems']>[number]
type Request = FastifyRequest
type Kind = View['kind']
/** Somebody, and the password that was compared if one was. */
type Known = { readonly id: number; readonly passwordHash?: string | null }

/** Adds the pages. */
export async function serveSignIn(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(formbody, { bodyLimit: 16_384 })
  app.get('/auth/local/style.css', (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
  )
  serveTelegram(app, services)
  app.get('/auth/local/with/:provider', { config: { operation: 'sign-in' } }, (request, reply) =>
    leave(services, request, reply),
  )
  for (const kind of ['sign-in', 'sign-up'] as const) {
    const config = { operation: kind }
    app.get(`/auth/local/${kind}`, { config }, (request, reply) => show(services, kind, request, reply))
    app.post(`/auth/local/${kind}`, { config }, (request, reply) => take(services, kind, request, reply))
  }
}

/** To a provider, on the way that the page was on. */
async function leave(services: Services, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const form = Form.parse(request.query ?? {})
  const { redirect, state, app, code } = form
  const { provider } = request.params as { readonly provider: string }
  const offered = offeredProviders(services.config).find((name) => name === provider)
  const origin = originOf(request, services.config.publicUrl)
  const back = returnTo(redirect || undefined, origin, services.config)
  if (!offered || !back || state === '') throw new NotFoundError()
  const language = languageOf(form, request)
  const call = { ...services, origin, language, address: request.ip, userAgent: '', requestId: request.id }
  return reply.redirect(await beginSignIn(call, offered, back, { app, state, language, code }), 303)
}

const show = (services: Services, kind: Kind, request: Request, reply: FastifyReply) =>
  render(services, kind, request, reply, { form: Form.parse(request.query ?? {}), problems: [], status: 200 })

/** A form was sent: look at it, act, and send the browser back with a code. */
async function take(services: Services, kind: Kind, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const form = Form.parse(request.body ?? {})
  const again = (problems: readonly Problem[], status = 422) =>
    render(services, kind, request, reply, { form, problems, status })
  if (!isOwnForm(request, form.csrf, services.config.secret)) return again([{ text: 'expired' }], 403)
  const problems = check(kind, form)
  if (problems.length > 0) return again(problems)
  const back = returnTo(form.redirect || undefined, originOf(request, services.config.publicUrl), services.config)
  if (!back) return again([{ text: 'badReturn' }], 400)
  try {
    services.limits.count(`sign-in ${networkOf(request.ip)}`, perMinute.address)
    services.limits.count(`sign-in account ${hashOf(accounts.normalEmail(form.email))}`, perMinute.account)
    const user: Known | null = kind === 'sign-in' ? await signIn(services, form) : await signUp(services, request, form)
    const url = user && (await returnUrl(services, form, back, user))
    return await (url ? reply.redirect(url, 303) : again([{ text: 'wrong' }]))
  } catch (error) {
    if (error instanceof RateLimitedError) {
      reply.header('retry-after', String(error.retryAfterSeconds))
      return again([{ text: 'tooMany' }], 429)
    }
    const known = error instanceof RuleError ? rules[error.name] : undefined
    if (!known) throw error
    return again([known])
  }
}

const rules: Readonly<Record<string, Problem>> = {
  EmailTaken: { field: 'email', text: 'emailTaken' },
  SignUpClosed: { text: 'closed' },
  CodeRejected: { text: 'codeRejected' },
}

const signIn = (services: Services, { email, password }: Form) => accounts.findByPassword(services, email, password)

function signUp(services: Services, request: Request, form: Form) {
  const language = languageOf(form, request)
  return accounts.createAccount(services, {
    email: form.email,
    password: form.password,
    firstName: form.name.trim(),
    language,
    currency: accounts.currencyFor(language),
    ...(form.code === '' ? {} : { code: form.code }),
  })
}

/** Back to where sign-in began, with a code; an account that was made from a link begins at the front door. */
async function returnUrl(services: Services, { redirect, state, app }: Form, back: URL, user: Known) {
  if (redirect === '') return '/'
  return transaction(services.db, async (trx) => {
    const { password_hash: kept } = await holdPerson(trx, user.id)
    // The password may have been changed since it was compared.
    if (user.passwordHash !== undefined && user.passwordHash !== kept) return null
    return withCode(services, trx, back, { userId: user.id, app, state })
  })
}

function check(kind: Kind, { email, password, name }: Form): Problem[] {
  const problems: Problem[] = []
  if (kind === 'sign-up' && name.trim() === '') problems.push({ field: 'name', text: 'nameMissing' })
  if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) problems.push({ field: 'email', text: 'emailInvalid' })
  if (kind === 'sign-up' && password.length < passwordMin) {
    problems.push({ field: 'password', text: 'passwordShort' })
  }
  return problems
}

async function render(
  services: Services,
  kind: Kind,
  request: Request,
  reply: FastifyReply,
  { form, problems, status }: { readonly form: Form; readonly problems: readonly Problem[]; readonly status: number },
): Promise<FastifyReply> {
  const open = await accounts.signUpIsOpen(services)
  const isInvited = form.code !== '' && (await invitationOf(services, services.db, form.code)) === 'open'
  const mayJoin = open || isInvited
  const { redirect, state, app, code, email, name } = form
  const flow: Flow = { redirect, state, app, code, language: languageOf(form, request) }
  const text = page({
    kind,
    flow,
    email,
    name,
    problems:
      problems.length > 0 ? problems : whatIsInTheWay(kind, { isLinkOver: form.code !== '' && !isInvited, mayJoin }),
    csrf: formToken(request, reply, services.config.secret),
    owner: kind === 'sign-up' && mayJoin && !(await accounts.hasAccounts(services.db)),
    providers: offeredProviders(services.config),
    other: kind === 'sign-up' || mayJoin,
  })
  const back = returnTo(redirect || undefined, originOf(request, services.config.publicUrl), services.config)
  // The form may lead back to another origin, and browsers hold the redirect after it to this list.
  const policy = `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${back?.origin ?? ''}`
  reply.headers({
    'content-security-policy': policy.trim(),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  })
  return reply.code(status).type('text/html; charset=utf-8').send(text)
}

/** What somebody has to know before anything is typed. */
function whatIsInTheWay(kind: Kind, { isLinkOver, mayJoin }: { isLinkOver: boolean; mayJoin: boolean }): Problem[] {
  if (isLinkOver) return [{ text: 'codeRejected' }]
  return kind === 'sign-up' && !mayJoin ? [{ text: 'closed' }] : []
}

/** The language of the flow, else the first one of the browser that we speak. */
function languageOf({ language }: Pick<Form, 'language'>, request: Request): Language {
  if (language) return language
  const wanted = (request.headers['accept-language'] ?? '').toLowerCase().split(',')
  const first = wanted.map((tag) => tag.trim().slice(0, 2)).find((tag) => ['en', 'ru', 'zh'].includes(tag))
  return first === 'zh' ? 'cn' : first === 'ru' ? 'ru' : 'en'
}
