// Operations that assistants may call: those of control surfaces and reads, without money, keys and members.
import { describe, type JsonSchema } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { type Scope, scopes, scopesAllow, scopesFor } from '#contract/core/scopes.ts'
import { operations } from '#contract/index.ts'

/** Tool over one operation. */
export interface OperationTool {
  readonly name: string
  readonly op: Operation
  readonly description: string
  /** Schema of the input, without what the server fills in. */
  readonly input: JsonSchema
}

/** Groups of scopes whose reads can be tools. */
const readable: readonly string[] = ['broadcasts:read', 'channels:read', 'chat:read']
/** Reads of other groups. */
const also: readonly string[] = ['projects.projects.list']
/** Fields of keys, money and members. An operation that answers one is no tool. */
const closed =
  /key|secret|token|password|credential|ticket|price|amount|balance|cost|currency|pay|tariff|members|email|invite|login/i
/** Fields that match but are none of these: a figure of the stream, and what viewers of a chat show of themselves. */
const harmless: ReadonlySet<string> = new Set(['key_frame', 'login', 'amount', 'currency', 'key_id'])
/** Operations whose fields do not tell it, each with the reason. */
const left: Readonly<Record<string, string>> = {
  'broadcasts.recordings.download': 'its address works without a token',
  'channels.access.list': 'projects and people that a channel is shared with',
  'chat.keys.list': 'keys of overlays',
}
/** Parameters that the server fills in, or that are another way in. */
const filled: ReadonlySet<string> = new Set(['v', 'language', 'key'])

/** Schema of `project_id`, which has a default here. */
export const projectId: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description: 'Number of the project. Default: the only project of the token.',
}

/** All tools over operations. */
export const operationTools: readonly OperationTool[] = operations.filter(isTool).map((op) => ({
  name: nameOf(op),
  op,
  description: descriptionOf(op),
  input: inputOf(op),
}))

/** Smallest scopes that give all tools. */
export const usableScopes: readonly Scope[] = scopes.filter((scope) =>
  operationTools.some(({ op }) => scopesFor(op.scope)[0] === scope),
)

/** Returns the tools that a token with these scopes can call. */
export const toolsFor = (granted: readonly Scope[]): readonly OperationTool[] =>
  operationTools.filter(({ op }) => scopesAllow(granted, op.scope))

function isTool(op: Operation): boolean {
  const { id, kind, scope } = op
  const isAllowed = scope.endsWith(':control') || (kind === 'read' && (readable.includes(scope) || also.includes(id)))
  if (!isAllowed || id in left) return false
  const { answer, parameters } = describe(op)
  return (
    !fieldsOf(answer).some((name) => closed.test(name) && !harmless.has(name)) &&
    !parameters.some(({ name, required }) => required && closed.test(name))
  )
}

/** Returns the names of all fields of a schema. */
export function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as JsonSchema
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)]
}

/** Clients accept letters, digits and `_`, up to 64. A group that is named like its area is named once. */
function nameOf({ id }: Operation): string {
  const [area, group, name] = id.split('.')
  return (area === group ? [area, name] : [area, group, name]).join('_').replaceAll('-', '_')
}

function descriptionOf({ name, notes, kind }: Operation): string {
  const about = Object.entries(notes).map(([field, note]) => `${field}: ${note}`)
  return [`${name}.${kind === 'write' ? ' Takes effect on air.' : ''}`, ...about].join('\n')
}

function inputOf(op: Operation): JsonSchema {
  const own = describe(op).parameters.filter(({ name }) => !filled.has(name))
  return {
    type: 'object',
    properties: Object.fromEntries(
      own.map(({ name, schema, note }) => [
        name,
        name === 'project_id' ? projectId : { ...schema, ...(note !== undefined && { description: note }) },
      ]),
    ),
    required: own.filter(({ name, required }) => required && name !== 'project_id').map(({ name }) => name),
    additionalProperties: false,
  }
}
