// The edge: matches a request to an operation, says who calls, reads by the contract, checks the right, calls the
// handler, writes by the contract. Handlers know no HTTP, and nothing here knows handlers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Auth, Operation, ProjectRole } from '#contract/core/operation.ts'
import { acceptedVersions, type Language, languages } from '#contract/core/wire.ts'
import { notServed } from '#contract/not-served.ts'
import type { Context, ProjectAccess, Services, User } from './context.ts'
import { textDecoder } from './decode.ts'
import { NotFoundError, UnauthorizedError, ValidationError } from './errors.ts'
import { violationsOf } from './failures.ts'
import { readForm } from './form.ts'
import type { Route } from './implement.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the operation, or what else the route is: for logs and metrics. */
    readonly operation?: string
  }
}

type Raw = Readonly<Record<string, unknown>>

/** What the edge asks the rules of the product. */
export interface Rights {
  /** Whom an access token belongs to, or null for a dead one. */
  readonly authenticate: (services: Services, token: string) => Promise<User | null>
  /** The caller's role in a project. @throws ForbiddenError when it is too small, or there is none */
  readonly authorize: (services: Services, user: User, projectId: number, role: ProjectRole) => Promise<ProjectAccess>
}

/** Puts every operation behind its path, and a plain word behind those that are known and not served yet. */
export function serveOperations(app: FastifyInstance, routes: readonly Route[], services: Services, rights: Rights) {
  for (const route of routes) {
    const { method, path, kind } = route.op
    // A HEAD must not do what the GET does when that changes something.
    const exposeHeadRoute = method === 'GET' && kind === 'read'
    const config = { operation: route.op.id }
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.route({ method, url, exposeHeadRoute, config, handler: answerer(route, services, rights) })
  }
  for (const [name] of notServed.flatMap((group) => group.operations)) {
    const [method = '', path = ''] = name.split(' ')
    const handler = () => {
      throw new NotFoundError('NotServedYet', 'This operation is known, and this release does not serve it yet')
    }
    app.route({ method, url: `/method/${path}`, exposeHeadRoute: false, config: { operation: 'notServed' }, handler })
  }
}

function answerer({ op, handle }: Route, services: Services, { authenticate, authorize }: Rights) {
  const read = reader(op)
  const readCommon = commonReader(op)
  const role = op.auth === 'none' || op.auth === 'session' ? null : op.auth

  return async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const token = tokenOf(request)
    const user = token === null ? null : await authenticate(services, token)
    if (!user && op.auth !== 'none') throw new UnauthorizedError()
    const raw = await rawOf(request, op)
    const language = readCommon(raw)
    const input = read(raw)
    const ctx: Call = {
      ...services,
      language,
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      origin: originOf(request, services.config.publicUrl),
      user,
      project: role && user ? await authorize(services, user, projectIdOf(input), role) : null,
    }
    return write(reply, op, await handle(input as never, ctx as never))
  }
}

/** The service as the caller knows it. */
export const originOf = (request: FastifyRequest, publicUrl: string | null): string =>
  publicUrl ?? `${request.protocol}://${request.host}`

type Call = Omit<Context<Auth>, 'project'> & { readonly project: ProjectAccess | null }
const projectIdOf = (input: unknown): number => (input as { readonly project_id: number }).project_id

/** `oauth` is the documented word, `Bearer` what newer clients send; either in any case (published A.1). */
const scheme = /^(?:oauth|bearer) +(\S+)$/i
const tokenOf = (request: FastifyRequest): string | null =>
  scheme.exec(request.headers.authorization ?? '')?.[1] ?? null

/** Reads the input of an operation from what arrived. @throws ValidationError with every parameter that is wrong */
function reader(op: Operation): (raw: Raw) => unknown {
  const isText = op.placement !== 'body'
  const decode = isText || op.inQuery.length > 0 ? textDecoder(op) : (raw: Raw) => raw
  return function read(raw) {
    const result = op.input.safeParse(decode(raw))
    if (result.success) return result.data
    throw new ValidationError(violationsOf(result.error.issues))
  }
}

async function rawOf(request: FastifyRequest, op: Operation): Promise<Raw> {
  const raw = op.placement === 'query' ? queryOf(request, op) : await bodyOf(request, op)
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new ValidationError([], 'The body has to be a JSON object')
  }
  // A zero byte is no text, and PostgreSQL would refuse it half way.
  for (const [property, value] of Object.entries(raw)) {
    if (typeof value === 'string' && value.includes('\0')) {
      throw new ValidationError([{ property, constraints: { text: 'must be text' } }])
    }
  }
  return op.inQuery.length > 0 ? { ...picked(request.query as Raw, op.inQuery), ...raw } : (raw as Raw)
}

const queryOf = (request: FastifyRequest, op: Operation): unknown =>
  op.path.includes('{') ? { ...(request.query as object), ...(request.params as object) } : request.query
const picked = (fields: Raw, names: readonly string[]): Raw =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
const bodyOf = async (request: FastifyRequest, op: Operation): Promise<unknown> =>
  op.placement === 'multipart' ? readForm(request) : request.body

/** Checks `v` and `language`. One that is left out means the operation's own version, and English. */
function commonReader(op: Operation): (raw: Raw) => Language {
  const versions = acceptedVersions(op)
  const known: readonly string[] = languages
  return function readCommon({ v, language }) {
    if (op.carries.length === 0) return 'en'
    const violations = []
    if (v !== undefined && !versions.includes(v as string)) violations.push(oneOf('v', versions))
    if (language !== undefined && !known.includes(language as string)) violations.push(oneOf('language', known))
    if (violations.length > 0) throw new ValidationError(violations)
    return (language as Language | undefined) ?? 'en'
  }
}

const oneOf = (property: string, values: readonly string[]) => ({
  property,
  constraints: { invalid_value: `must be one of ${values.join(', ')}` },
})

/** What is not in the contract does not leave; an answer that does not fit it is our bug. */
function write(reply: FastifyReply, op: Operation, result: unknown): FastifyReply {
  const answer = op.output.safeParse(result)
  if (!answer.success) {
    const paths = answer.error.issues.map((issue) => issue.path.join('.')).join(', ')
    throw new Error(`The answer of ${op.id} does not fit the contract at: ${paths}`)
  }
  if (op.status === 301 || op.status === 302) {
    return reply.redirect((answer.data as { location: string }).location, op.status)
  }
  return reply.code(op.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.data))
}
