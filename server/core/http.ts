// HTTP edge: matches a request to an operation, authenticates, parses by the contract, authorizes, calls the handler,
// serializes by the contract. Handlers do not depend on HTTP, and this module does not depend on handlers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Auth, Operation, NeededRole, Schema } from '#contract/core/operation.ts'
import { scopesAllow, scopesFor } from '#contract/core/scopes.ts'
import { languages } from '#contract/core/codes.ts'
import { acceptedVersions, type Language } from '#contract/core/wire.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { notServed } from '#contract/not-served.ts'
import type { Admission, Caller, Context, Grant, ProjectAccess, Services, User } from './context.ts'
import { hasApiToken, isWidgetToken } from './api-token-text.ts'
import { textDecoder } from './decode.ts'
import {
  AppError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  SuspendedError,
  UnauthorizedError,
  ValidationError,
} from './errors.ts'
import { violationsOf } from './failures.ts'
import { readForm } from './form.ts'
import type { Route } from './implement.ts'
import type { Violation } from './refusals.ts'
import { env, settings, whole } from './variables.ts'
import { textViolations } from './texts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the operation or name of the route, for logs and metrics. */
    readonly operation?: string
  }
}

type Raw = Readonly<Record<string, unknown>>

/**
 * Returns the user of an access token, and the user's role in a project. Null for an invalid token. One query, because
 * nearly every call needs both.
 */
export type Admit = (
  services: Services,
  token: string,
  projectId: number | null,
  from: Caller,
) => Promise<Admission | null>

/** Admits an operator of the installation to an operation. @throws AppError for other users, and for an old sign-in */
export type Operates = (services: Services, user: User, op: Operation) => Promise<void>

/** Called after each successful write, before the response. It must not throw; the edge does not wait for it. */
export type Written = (op: Operation, input: unknown, project: ProjectAccess | null) => void

interface Edge {
  readonly admit: Admit
  readonly operates: Operates
  readonly written: Written
}

/** Registers a route for every operation. */
export function serveOperations(app: FastifyInstance, routes: readonly Route[], services: Services, edge: Edge) {
  for (const route of routes) {
    const { method, path, kind } = route.op
    // HEAD must not run a GET that changes data. In one route: a route of its own would make the start a quarter longer.
    const methods = method === 'GET' && kind === 'read' ? [method, 'HEAD'] : [method]
    const config = { operation: route.op.id }
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.route({ method: methods, url, exposeHeadRoute: false, config, handler: answerer(route, services, edge) })
  }
}

/** Registers an error response for known operations that this release does not serve. */
export function serveNotServed(app: FastifyInstance): void {
  for (const [name] of notServed.flatMap((group) => group.operations)) {
    const [method = '', path = ''] = name.split(' ')
    const handler = () => {
      throw new NotFoundError('NotServedYet')
    }
    app.route({ method, url: `/method/${path}`, exposeHeadRoute: false, config: { operation: 'notServed' }, handler })
  }
}

function answerer({ op, handle }: Route, services: Services, { admit, operates, written }: Edge) {
  const read = reader(op)
  const output = compiled(op.output)
  const role = roleNeeded(op)

  return async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const credentials = credentialsOf(request, op)
    const holder = await getEarly(request, reply, credentials)
    const { language, input, refusal } = read(
      request,
      // Kept at the request: a refusal reads the language there.
      op.placement === 'multipart' ? (request.body = await readForm(request)) : request.body,
      holder?.user.grant?.projectId,
    )
    const projectId = role && !refusal ? projectIdOf(input) : null
    const caller = holder ? within(holder, projectId) : await getCaller(request, reply, credentials.token, projectId)
    if (op.auth === 'operator') await mustOperate(caller)
    // A caller without permission gets no details about invalid parameters.
    if (refusal) throw refusal.reason
    const ctx: Call = {
      ...services,
      language,
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      cookie: request.headers.cookie ?? '',
      origin: originOf(request, services.config.publicUrl),
      // Not a getter: an object literal with a getter gets a new hidden class for each call, which slows every access.
      gone: () => gone(reply),
      user: caller?.user ?? null,
      project: role && caller && projectId !== null ? accessOf(projectId, caller, role, op) : null,
    }
    const result = await handle(input as never, ctx as never)
    if (op.kind === 'write') written(op, input, ctx.project)
    return write(reply, op, output().safeParse(result))
  }

  /** @throws ForbiddenError for a caller that is no operator, and as `Operates` */
  async function mustOperate(caller: Admission | null): Promise<void> {
    if (!caller) throw new ForbiddenError()
    await operates(services, caller.user, op)
  }

  /** Authenticates before the input is read. @returns the widget that calls; null: another caller */
  async function getEarly(request: FastifyRequest, reply: FastifyReply, { token, isWidget }: Credentials) {
    // A form may be large. The token of a widget names its project: its calls need no `project_id`.
    const caller = isWidget || op.placement === 'multipart' ? await getCaller(request, reply, token, null) : null
    return isWidget ? caller : null
  }

  /**
   * @throws UnauthorizedError for an invalid token, if the operation requires one
   * @throws AppError when the token lacks the scope, or the project
   */
  async function getCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string | null,
    projectId: number | null,
  ): Promise<Admission | null> {
    if (token === null) return null
    const caller = await admit(services, token, projectId, request)
    if (!caller && op.auth !== 'none') throw new UnauthorizedError()
    if (caller?.user.grant) {
      meter(reply, services, caller.user)
      mustGrant(caller.user.grant, op, projectId)
    }
    return caller
  }
}

/** Counts a call of a token, and reports the limit (draft-ietf-httpapi-ratelimit-headers-10). @throws RateLimitedError */
function meter(reply: FastifyReply, { limits, config }: Services, { sessionId }: User): void {
  const perMinute = config.apiTokenPerMinute
  const report = (left: number, seconds: number) =>
    reply.headers({
      'ratelimit-policy': `"token";q=${perMinute};w=60`,
      ratelimit: `"token";r=${left};t=${seconds}`,
    })
  try {
    const window = limits.count(`token ${sessionId}`, perMinute)
    if (window) report(window.left, window.seconds)
  } catch (error) {
    if (error instanceof RateLimitedError) report(0, error.retryAfterSeconds)
    throw error
  }
}

/** Returns a widget that calls. @throws ForbiddenError when it names another project than its own */
function within(widget: Admission, projectId: number | null): Admission {
  if (projectId !== null && projectId !== widget.user.grant?.projectId) throw new ForbiddenError('Forbidden_project')
  return widget
}

/** @throws ForbiddenError, AppError with the scope in `data` */
function mustGrant({ scopes, projectId }: Grant, op: Operation, named: number | null): void {
  if (op.scope === 'session') throw new ForbiddenError('Forbidden_session')
  if (!scopesAllow(scopes, op.scope)) throw new AppError(403, 'ScopeMissing', { scope: scopesFor(op.scope)[0] ?? '' })
  if (projectId === null) return
  // Data of the person reach into other projects.
  const isOfPerson = op.auth === 'session' && (op.scope === 'profile:write' || op.scope === 'project:write')
  // Operators reach all projects.
  if (isOfPerson || op.auth === 'operator' || (named !== null && named !== projectId))
    throw new ForbiddenError('Forbidden_project')
}

const roleNeeded = ({ auth }: Operation): NeededRole | null =>
  auth === 'none' || auth === 'session' || auth === 'operator' ? null : auth

/** Returns whether an operation changes a project. A suspended project can still be left, and pay what it owes. */
const needsActiveProject = ({ id, kind, auth }: Operation): boolean =>
  kind === 'write' && (auth === 'editor' || auth === 'owner') && !id.startsWith('billing.')

/** @throws ForbiddenError when the caller has no role, or not the required one; SuspendedError; AppError without a second factor where one is demanded */
function accessOf(
  id: number,
  { accessType, isSuspended, lacksFactor }: Admission,
  needed: NeededRole,
  op: Operation,
): ProjectAccess {
  if (accessType === null || !roleCan(accessType, needed)) throw new ForbiddenError()
  if (lacksFactor && !op.isForLacking) throw new AppError(403, 'SecondFactorDemanded')
  if (isSuspended && needsActiveProject(op)) throw new SuspendedError()
  return { id, accessType }
}

/** Returns the origin of the service as the caller reached it. */
export const originOf = (request: FastifyRequest, publicUrl: string | null): string =>
  publicUrl ?? `${request.protocol}://${request.host}`

/** Returns a signal that aborts when the connection closes, before or after the response. */
function gone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  else raw.once('close', () => controller.abort())
  return controller.signal
}

type Call = Omit<Context<Auth>, 'project'> & { readonly project: ProjectAccess | null }
const projectIdOf = (input: unknown): number => (input as { readonly project_id: number }).project_id

export const apiTokenSettings = settings({
  apiTokenPerMinute: env('API_TOKEN_LIMIT', whole(0, 1_000_000), '600', 'Calls a minute of an API token. 0: no limit'),
})

/** `oauth` is the documented scheme, `Bearer` that of newer clients; both in any case (published A.1). */
const scheme = /^(?:oauth|bearer) +(\S+)$/i
/** Several `X-API-KEY` headers arrive as one with a comma, which is no token. */
const key = /^\S+$/
/** Returns the token in the headers. That of a widget is one in the query only, where it reaches few operations. */
function tokenOf({ headers }: FastifyRequest): string | null {
  const token = scheme.exec(headers.authorization ?? '')?.[1] ?? key.exec(String(headers['x-api-key'] ?? ''))?.[0]
  return token === undefined || isWidgetToken(token) ? null : token
}

interface Credentials {
  /** Null: none, and the operation needs none. */
  readonly token: string | null
  readonly isWidget: boolean
}

/** @throws AppError for a token in the wrong place, and for a missing one */
function credentialsOf(request: FastifyRequest, op: Operation): Credentials {
  if (hasApiToken(request.url)) throw new AppError(400, 'TokenInUrl')
  const widget = widgetOf(request, op)
  const token = widget ?? tokenOf(request)
  if (token === null && op.auth !== 'none') throw new UnauthorizedError()
  return { token, isWidget: widget !== null }
}

/**
 * Returns the token of a widget in the query (published C.5); null without one.
 * @throws ForbiddenError for an operation that no widget calls
 */
function widgetOf({ query }: FastifyRequest, op: Operation): string | null {
  const { widget } = query as { readonly widget?: unknown }
  if (widget === undefined) return null
  if (!op.isForWidgets) throw new ForbiddenError()
  if (typeof widget !== 'string' || !isWidgetToken(widget)) throw new UnauthorizedError()
  return widget
}

interface Reading {
  readonly language: Language
  readonly input: unknown
  /** Reason why parsing failed; then there is no input. */
  readonly refusal: { readonly reason: unknown } | null
}

/** Creates the parser of requests: `v` and `language`, and the input of the operation. It never throws. */
function reader(op: Operation): (request: FastifyRequest, body: unknown, projectId?: number | null) => Reading {
  const readCommon = commonReader(op)
  const readInput = inputReader(op)
  return function read(request, body, projectId) {
    try {
      const sent = rawOf(request, body, op)
      const raw = (projectId ?? null) === null ? sent : { project_id: String(projectId), ...sent }
      return { language: readCommon(raw, request.query as Raw), input: readInput(raw), refusal: null }
    } catch (reason) {
      return { language: 'en', input: null, refusal: { reason } }
    }
  }
}

/** Returns a schema whose parser is generated at its first use. */
function compiled<T extends Schema>(schema: T): () => T {
  let made: T | undefined
  return () => (made ??= z.compile(schema))
}

/** Creates the parser of an operation's input. @throws ValidationError with every invalid parameter */
function inputReader(op: Operation): (raw: Raw) => unknown {
  const isText = op.placement !== 'body'
  const hasText = isText || op.inQuery.some((name) => name !== 'v' && name !== 'language')
  const input = compiled(op.input)
  // Created at the first call: most operations are not called for days, and describing a schema takes memory.
  let decode: ((raw: Raw) => Raw) | undefined
  return function readInput(raw) {
    const sent = hasText ? (decode ??= textDecoder(op))(raw) : raw
    const result = input().safeParse(sent)
    const violations = result.success ? textViolations(result.data as object) : violationsOf(result.error.issues, sent)
    if (violations.length > 0) throw new ValidationError(violations)
    return result.data
  }
}

function rawOf(request: FastifyRequest, body: unknown, op: Operation): Raw {
  // A call without parameters needs no body.
  const raw = op.placement === 'query' ? queryOf(request, op) : (body ?? {})
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new ValidationError([], 'I18nValidationException_body')
  }
  return op.inQuery.length > 0 ? { ...picked(request.query as Raw, op.inQuery), ...raw } : (raw as Raw)
}

const queryOf = (request: FastifyRequest, op: Operation): unknown =>
  op.path.includes('{') ? { ...(request.query as object), ...(request.params as object) } : request.query
const picked = (fields: Raw, names: readonly string[]): Raw =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

/**
 * Checks `v` and `language`, which may be in the query of a call with a body (published for `chat/telegram/setting`).
 * Defaults: the version of the operation, and English.
 */
function commonReader(op: Operation): (raw: Raw, query: Raw) => Language {
  const versions = acceptedVersions(op)
  const known: readonly string[] = languages
  return function readCommon(raw, query) {
    if (op.carries.length === 0) return 'en'
    const { v = query['v'], language = query['language'] } = raw
    const violations: Violation[] = []
    if (v !== undefined && !versions.includes(v as string)) violations.push(oneOf('v', versions))
    if (language !== undefined && !known.includes(language as string)) violations.push(oneOf('language', known))
    if (violations.length > 0) throw new ValidationError(violations)
    return (language as Language | undefined) ?? 'en'
  }
}

const oneOf = (property: string, values: readonly string[]): Violation => ({
  property,
  code: 'invalid_value',
  text: 'one_of',
  values: { values: values.join(', ') },
})

/** Sends only fields of the contract. A response that violates the contract is a bug of the service. */
function write(reply: FastifyReply, op: Operation, answer: z.core.util.SafeParseResult<unknown>): FastifyReply {
  if (!answer.success) {
    const paths = answer.error.issues.map((issue) => issue.path.join('.')).join(', ')
    throw new Error(`The answer of ${op.id} does not fit the contract at: ${paths}`)
  }
  if (answer.data === undefined) return reply.code(204).send()
  if (op.status === 301 || op.status === 302) {
    return reply.redirect((answer.data as { location: string }).location, op.status)
  }
  return reply.code(op.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.data))
}
