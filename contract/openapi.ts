// OpenAPI 3.1 document of the API, generated from the registry. Served at /openapi.json.
import { describe, type JsonSchema, jsonSchema } from '#contract/core/describe.ts'
import { groupInfo, operationsOf } from '#contract/core/group.ts'
import type { Operation } from '#contract/core/operation.ts'
import { scopesFor } from '#contract/core/scopes.ts'
import { ErrorBody } from '#contract/core/wire.ts'
import { groups } from './index.ts'

/** Refusal statuses and their conditions. */
const refusals: Readonly<Record<number, string>> = {
  400: 'A parameter is wrong, or a rule forbids it',
  401: 'No access token, or a dead one',
  403: 'No right to do this',
  413: 'The body is too large',
  415: 'The body has another content type',
  429: 'Too many calls; `Retry-After` gives the time to wait',
}

/**
 * Returns the document. `x-provenance` is the source of an operation: `brief`, `published` or `decided` by us; `x-scope` is what an
 * API token needs: a scope, `any` token, or `session`, which is none.
 * @param about version of the service, and its public address
 */
export function openApi(about: { readonly version: string; readonly url: string }): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const group of groups)
    for (const op of operationsOf(group))
      (paths[op.path] ??= {})[op.method.toLowerCase()] = pathItem(op, groupInfo(group).title)
  return {
    openapi: '3.1.0',
    info: { title: 'Relaydeck', version: about.version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: about.url }],
    tags: [...new Set(groups.map((group) => groupInfo(group).title))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(ErrorBody, 'output') },
      securitySchemes: {
        oauth: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The word `oauth`, a space, and an access token or an API token. `Bearer` is accepted as well. The names of a requirement are scopes of API tokens.',
        },
        widget: {
          type: 'apiKey',
          in: 'query',
          name: 'widget',
          description: 'The token of a widget; it stands for `project_id`.',
        },
        'X-API-KEY': { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'An API token.' },
      },
    },
  }
}

function pathItem(op: Operation, tag: string): Record<string, unknown> {
  const { parameters, body, answer } = describe(op)
  const query = parameters.filter((parameter) => parameter.in !== 'body')
  return {
    operationId: op.id,
    summary: op.name,
    tags: [tag],
    'x-provenance': op.provenance,
    'x-kind': op.kind,
    'x-auth': op.auth,
    'x-scope': op.scope,
    security: op.auth === 'none' ? [] : securityOf(op),
    ...(query.length > 0 ? { parameters: query.map(({ note, ...rest }) => ({ ...rest, ...described(note) })) } : {}),
    ...(body ? { requestBody: { required: true, content: content(op.placement, body) } } : {}),
    responses: {
      [op.status]: success(op, answer),
      ...(op.output.safeParse(undefined).success ? { 204: { description: 'Nothing, and no body' } } : {}),
      ...refused(op),
    },
  }
}

/** A sign-in, an API token with one of the scopes, or the token of a widget. */
function securityOf({ scope, isForWidgets }: Operation): Record<string, readonly string[]>[] {
  if (scope === 'session') return [{ oauth: [] }]
  const ways = scope === 'any' ? [[]] : scopesFor(scope).map((one) => [one])
  const byScope = ['oauth', 'X-API-KEY'].flatMap((scheme) => ways.map((needed) => ({ [scheme]: needed })))
  return isForWidgets ? [...byScope, { widget: [] }] : byScope
}

const described = (note: string | undefined) => (note === undefined ? {} : { description: note })

const content = (placement: string, schema: JsonSchema) => ({
  [placement === 'multipart' ? 'multipart/form-data' : 'application/json']: { schema },
})

const success = (op: Operation, answer: JsonSchema) =>
  op.status === 301 || op.status === 302
    ? { description: 'Elsewhere', headers: { Location: { schema: { type: 'string' } } } }
    : { description: 'Done', content: content('body', answer) }

function refused(op: Operation): Record<string, unknown> {
  const statuses = Object.keys(refusals).filter(
    (status) =>
      (op.auth !== 'none' || (status !== '401' && status !== '403')) &&
      (op.placement !== 'query' || status < '413' || status === '429'),
  )
  const body = content('body', { $ref: '#/components/schemas/Error' })
  return Object.fromEntries(
    statuses.map((status) => [status, { description: refusals[Number(status)], content: body }]),
  )
}
