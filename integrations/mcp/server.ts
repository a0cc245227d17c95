// MCP server: tools over operations, and one that explains a broadcast.
import { type CallToolResult, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { Language } from '#contract/core/wire.ts'
import { type Scope, scopes, scopesAllow } from '#contract/core/scopes.ts'
import {
  type CallError,
  type Client,
  createClient,
  type OperationId,
  type TokenSource,
} from '#integrations/client/main.ts'
import { type ChannelFacts, explainer } from './explain.ts'
import { type OperationTool, projectId, toolsFor } from './tools.ts'

/** Settings of the server. */
export interface McpOptions {
  /** Address of the service. */
  readonly url: string
  readonly token: string | TokenSource
  readonly language: Language
  readonly version: string
  /** Scopes of the token, if they are known already. */
  readonly granted?: readonly Scope[]
}

type Arguments = Readonly<Record<string, unknown>>

/** Longest answer of a tool, characters: assistants read all of it. */
const longest = 60_000

const text = (words: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: words }],
  ...(isError && { isError }),
})

/** A failure in words that an assistant can act on. */
function failure(error: CallError): CallToolResult {
  if (error.kind !== 'refused') return text(`${error.message} (${error.kind})`, true)
  const fields = error.fields.map(({ name, messages }) => `${name}: ${messages.join(' ')}`)
  const wait = error.retryAfterMs === null ? [] : [`Wait ${Math.ceil(error.retryAfterMs / 1000)} s.`]
  return text([`${error.message} (${error.name})`, ...fields, ...wait].join('\n'), true)
}

/**
 * Returns a server with the tools that the token can call.
 * Without a response of the service it has all tools, and each call says why it fails.
 */
export async function createMcpServer({ url, token, language, version, granted }: McpOptions): Promise<McpServer> {
  const client = createClient({ url, token, language })
  const server = new McpServer(
    { name: 'relaydeck', title: 'Relaydeck', version },
    { instructions: 'Streams to many platforms. To say why a broadcast or a channel has a problem, call `explain`.' },
  )
  const allowed = granted ?? (await scopesOf(client))
  const project = projectOf(client)
  for (const tool of toolsFor(allowed)) addOperation(server, client, project, tool)
  if (scopesAllow(allowed, 'broadcasts:read') && scopesAllow(allowed, 'channels:read'))
    addExplain(server, client, project, await explainer(language))
  return server
}

/** Returns the scopes of the token; all without a response. */
async function scopesOf(client: Client): Promise<readonly Scope[]> {
  const me = await client.call('projects.projects.me', {})
  return me.ok ? (me.data.scopes as Scope[]) : scopes
}

type ProjectOf = (args: Arguments) => Promise<number | CallToolResult>

/** Returns a function that gives the project of a call: that of its input, else the only one of the token. */
function projectOf(client: Client): ProjectOf {
  let only: number | undefined
  return async ({ project_id: named }) => {
    if (typeof named === 'number') return named
    if (only !== undefined) return only
    const list = await client.call('projects.projects.list', {})
    if (!list.ok) return failure(list.error)
    const { results } = list.data
    const [first] = results
    if (first && results.length === 1) return (only = first.project_id)
    const known = results.map(({ project_id, project: { name } }) => `${project_id} (${name})`)
    return text(`Name the project_id. Projects of this token: ${known.join(', ') || 'none'}.`, true)
  }
}

function addOperation(
  server: McpServer,
  client: Client,
  project: ProjectOf,
  { name, op, description, input }: OperationTool,
) {
  const hasProject = 'project_id' in (input.properties ?? {})
  server.registerTool(
    name,
    {
      title: op.name,
      description,
      inputSchema: fromJsonSchema<Arguments>(input),
      annotations: {
        readOnlyHint: op.kind === 'read',
        destructiveHint: op.id === 'broadcasts.broadcasts.stop',
        idempotentHint: op.id !== 'chat.chat.send',
        openWorldHint: false,
      },
    },
    async (args) => {
      const of = hasProject ? await project(args) : undefined
      if (typeof of === 'object') return of
      const full = { ...args, ...(of !== undefined && { project_id: of }) }
      const result = await client.call(op.id as OperationId, full as never)
      if (!result.ok) return failure(result.error)
      const answer = JSON.stringify(result.data ?? null)
      return answer.length <= longest
        ? text(answer)
        : text(`The answer has ${answer.length} characters. Ask for fewer rows (limit) or a shorter time.`, true)
    },
  )
}

const explainInput = {
  type: 'object',
  properties: {
    project_id: projectId,
    channel: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'Part of the name of a channel or of its platform, such as "Twitch". Default: all channels.',
    },
  },
  additionalProperties: false,
}

function addExplain(
  server: McpServer,
  client: Client,
  project: ProjectOf,
  explain: Awaited<ReturnType<typeof explainer>>,
): void {
  server.registerTool(
    'explain',
    {
      title: 'Explain what is on air',
      description:
        'Says in sentences what is on air, the verdict with what to do, and the state of each channel with the reason of its failure.',
      inputSchema: fromJsonSchema<{ project_id?: number; channel?: string }>(explainInput as never),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (args) => {
      const project_id = await project(args)
      if (typeof project_id === 'object') return project_id
      const status = await client.call('broadcasts.broadcasts.status', { project_id })
      if (!status.ok) return failure(status.error)
      const channels: ChannelFacts[] = []
      for (let total = 1; channels.length < total;) {
        const page = await client.call('channels.channels.search', { project_id, limit: 100, offset: channels.length })
        if (!page.ok) return failure(page.error)
        channels.push(...page.data.results)
        total = page.data.results.length === 0 ? 0 : page.data.total
      }
      return text(explain({ status: status.data, channels, about: args.channel, now: Date.now() }))
    },
  )
}
