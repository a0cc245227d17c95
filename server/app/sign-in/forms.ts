// The forms of the sign-in pages: what was sent is looked at, acted upon, and answered in words on the page itself.
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { App, Language } from '#contract/core/wire.ts'
import { BillingMode } from '#contract/entities/plan.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'
import type { Services } from '#server/core/context.ts'
import { RateLimitedError, RuleError } from '#server/core/errors.ts'
import { originOf } from '#server/core/http.ts'
import * as accounts from '#server/domain/account/accounts.ts'
import { invitationOf } from '#server/domain/account/codes.ts'
import { returnTo } from '#server/domain/account/return-to.ts'
import { limitTry } from '#server/domain/account/sign-in-limits.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { hasUsers } from '#server/domain/account/store.ts'
import { offeredProviders } from '#server/domain/account/sign-in-providers.ts'
import { deviceIn } from './device-cookie.ts'
import { type Flow, type Kind, page, type View } from './page.ts'
import { createHmac } from 'node:crypto'
import { cookieIn, setCookie } from '#server/core/cookies.ts'
import { derivedKey, randomToken, sameText } from '#server/core/secrets.ts'

// CSRF protection of forms: a cookie, and its signature in the form.

/** Signs the cookie of a browser, and gives it one when it has none. */
function formToken(request: FastifyRequest, reply: FastifyReply, secret: Uint8Array): string {
  const value = cookieOf(request) ?? randomToken()
  setCookie(request, reply, { name: 'rd_form', value, path: '/auth/local', seconds: 86_400 })
  return sign(value, secret)
}

/** Does a posted form belong to a page that this browser was given? */
export function isOwnForm(request: FastifyRequest, token: string, secret: Uint8Array): boolean {
  const site = request.headers['sec-fetch-site']
  const value = cookieOf(request)
  return value !== null && (site === undefined || site === 'same-origin') && sameText(token, sign(value, secret))
}

const sign = (value: string, secret: Uint8Array): string =>
  createHmac('sha256', derivedKey(secret, 'form')).update(value).digest('base64url')

function cookieOf(request: FastifyRequest): string | null {
  const value = cookieIn(request.headers.cookie ?? '', 'rd_form')
  return value !== null && /^[\w-]{43}$/.test(value) ? value : null
}

/** Malformed fields count as missing. */
const line = (max: number) => z.catch(z.string().check(z.maxLength(max), z.regex(/^[^\0\r\n]*$/)), '')
export const Form = z.object({
  redirect: line(2000),
  state: line(200),
  app: z.catch(App, 'site'),
  language: z.catch(z.optional(Language), undefined),
  code: line(200),
  csrf: line(100),
  email: line(254),
  name: line(100),
  billing: z.catch(BillingMode, 'off'),
  password: z.catch(z.string().check(z.maxLength(passwordMax)), ''),
  /** Code of the second step. */
  factor: line(100),
  remember: line(2),
  /** Response of a passkey, JSON. */
  passkey: line(8000),
})
export type Form = z.output<typeof Form>

/** Returns the form of a request. A body that has no fields is an empty form. */
export const formIn = ({ body }: FastifyRequest): Form =>
  Form.parse(typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {})

export type Problem = NonNullable<View['problems']>[number]

/** Shows the page again, with what was typed and what is wrong with it. */
export type Again = (problems: readonly Problem[], status?: number) => Promise<FastifyReply>

const rules: Readonly<Record<string, Problem>> = {
  EmailTaken: { field: 'email', text: 'emailTaken' },
  SignUpClosed: { text: 'closed' },
  CodeRejected: { text: 'codeRejected' },
}

/**
 * Takes a form of a page: refuses what is not of this browser, too often, or not filled in, and says so on the page; so
 * are refusals of rules.
 * @param act does what the form is for
 */
export async function take(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (form: Form, again: Again) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const form = formIn(request)
  const again: Again = (problems, status = 422) => render(services, kind, request, reply, { form, problems, status })
  if (!isOwnForm(request, form.csrf, services.config.secret)) return again([{ text: 'expired' }], 403)
  const problems = check(kind, form)
  if (problems.length > 0) return again(problems)
  try {
    const byPasskey = form.passkey !== '' ? { code: form.csrf } : { email: form.email }
    const about = byCode(kind) ? { code: form.code } : byPasskey
    const device = 'email' in about ? deviceIn(services.config, request, about.email) : null
    await limitTry(services, kind, about, { address: request.ip, device })
    return await act(form, again)
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

/** Pages with a passkey button. */
const hasPasskey = (kind: Kind): boolean => kind === 'sign-in' || kind === 'second'

/** Pages about a code: of a link by e-mail, or of the first step of a sign-in. */
const byCode = (kind: Kind): boolean => kind === 'recover' || kind === 'confirm' || kind === 'second'

function check(kind: Kind, { email, password, name, factor, passkey }: Form): Problem[] {
  const problems: Problem[] = []
  if (passkey !== '' && hasPasskey(kind)) return problems
  if (kind === 'second' && factor.trim() === '') problems.push({ field: 'factor', text: 'factorMissing' })
  if (kind === 'sign-up' && name.trim() === '') problems.push({ field: 'name', text: 'nameMissing' })
  if (!byCode(kind) && !/^[^\s@]+@[^\s@]+$/.test(email.trim())) problems.push({ field: 'email', text: 'emailInvalid' })
  if ((kind === 'sign-up' || kind === 'recover') && password.length < passwordMin)
    problems.push({ field: 'password', text: 'passwordShort' })
  return problems
}

/** Renders a page. @param problems messages at its top */
export async function render(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, problems, status }: { readonly form: Form; readonly problems: readonly Problem[]; readonly status: number },
): Promise<FastifyReply> {
  const open = await accounts.signUpIsOpen(services)
  // A code of another page is no invitation.
  const invited = form.code !== '' && !byCode(kind)
  const isInvited = invited && (await invitationOf(services, services.db, form.code)) === 'open'
  const mayJoin = open || isInvited
  const { redirect, state, app, code, email, name } = form
  const flow: Flow = { redirect, state, app, code, language: languageOf(form, request) }
  const isFirst = kind === 'sign-up' && mayJoin && !(await hasUsers(services.db))
  // An open sign-up makes no owner.
  const isOwner = isFirst && (isInvited || (await accounts.signUpMode(services)) === 'auto')
  const isOpen = isOwner && (await getInstallation(services.db)).billing === null
  const text = page({
    kind,
    flow,
    email,
    name,
    problems: problems.length > 0 ? problems : whatIsInTheWay(kind, { isLinkOver: invited && !isInvited, mayJoin }),
    csrf: formToken(request, reply, services.config.secret),
    owner: isFirst,
    billing: isOpen ? form.billing : undefined,
    providers: offeredProviders(services.config),
    open: mayJoin,
  })
  return send(services, request, reply.code(status), { redirect, text, hasScript: hasPasskey(kind) })
}

/** Sends a page under a policy that lets it do nothing but what it is for. */
export function send(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    text,
    redirect = '',
    hasScript = false,
  }: { readonly text: string; readonly redirect?: string; readonly hasScript?: boolean },
): FastifyReply {
  const back = returnTo(redirect || undefined, originOf(request, services.config.publicUrl), services.config)
  // The form may lead back to another origin, and browsers hold the redirect after it to this list.
  const policy = `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${back?.origin ?? ''}${hasScript ? "; script-src 'self'; connect-src 'self'" : ''}`
  reply.headers({
    'content-security-policy': policy.trim(),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  })
  return reply.type('text/html; charset=utf-8').send(text)
}

/** Returns a notice above the form. */
function whatIsInTheWay(kind: Kind, { isLinkOver, mayJoin }: { isLinkOver: boolean; mayJoin: boolean }): Problem[] {
  if (isLinkOver) return [{ text: 'codeRejected' }]
  return kind === 'sign-up' && !mayJoin ? [{ text: 'closed' }] : []
}

/** The language of the flow, else the first one of the browser that we speak. */
export function languageOf({ language }: Pick<Form, 'language'>, request: FastifyRequest): Language {
  if (language) return language
  const wanted = (request.headers['accept-language'] ?? '').toLowerCase().split(',')
  const first = wanted.map((tag) => tag.trim().slice(0, 2)).find((tag) => ['en', 'ru', 'zh'].includes(tag))
  return first === 'zh' ? 'cn' : first === 'ru' ? 'ru' : 'en'
}
