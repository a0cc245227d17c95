// The requests of docs/recipes.md, as they stand there.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { newChannel } from '#server/testing/channels.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { postWebhooks } from '#server/testing/outbox.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const page = readFileSync('docs/recipes.md', 'utf8')
const blockOf = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

let world: World
let ann: Person
let url: string
let channel: number
let node: ReturnType<typeof someNodeOf>

beforeEach(async () => {
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  onTestFinished(() => world.close())
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
  channel = await newChannel(world, ann)
  node = someNodeOf(world)
})

const newToken = async (scopes: Scope[]) =>
  (await world.api(apiTokens.create, { name: 'Recipe', scopes, project_id: ann.projectId }, { as: ann })).body.token

/** Puts the service, the project and the channel of the test in the place of those of the page. */
const localOf = (text: string): string =>
  text
    .replaceAll('https://live.example.com', url)
    .replaceAll(/(project_id"?[:=])7\b/g, `$1${ann.projectId}`)
    .replaceAll(/(channel_id"?[:=])12\b/g, `$1${channel}`)

interface HomeAssistant {
  readonly rest: readonly {
    readonly resource: string
    readonly headers: Record<string, string>
    readonly binary_sensor: readonly { readonly value_template: string }[]
    readonly sensor: readonly { readonly value_template: string; readonly json_attributes: readonly string[] }[]
  }[]
  readonly switch: readonly (Record<
    'resource' | 'state_resource' | 'is_on_template' | 'body_on' | 'body_off',
    string
  > & { readonly headers: Record<string, string> })[]
  readonly rest_command: Readonly<
    Record<
      string,
      Record<'url' | 'method' | 'content_type' | 'payload', string> & { readonly headers: Record<string, string> }
    >
  >
}

test('Home Assistant reads the status, switches a channel, and pauses and resumes', async () => {
  const token = await newToken(['channels:read', 'broadcasts:read', 'control'])
  const customTags = [{ tag: '!secret', resolve: (name: string) => (name === 'relaydeck_token' ? token : '') }]
  const config = parse(localOf(blockOf('yaml')), { customTags }) as HomeAssistant
  const call = async (address: string, init: RequestInit) => {
    const response = await fetch(address, init)
    expect(response.ok, `${address} ${response.status}`).toBe(true)
    return (await response.json()) as Record<string, unknown>
  }
  const [status] = config.rest
  const read = () => call(status!.resource, { headers: status!.headers })
  expect((await read())['kind']).toBe('inactive')
  await beginBroadcast(world, ann, node)
  const shown = await read()
  // Fields that the templates read.
  const templates = [...status!.binary_sensor, ...status!.sensor].map((one) => one.value_template)
  const paths = templates.flatMap((text) => [...text.matchAll(/value_json\.([\w.]+)/g)].map(([, path = '']) => path))
  expect(new Set(paths)).toEqual(new Set(['kind', 'verdict.level']))
  expect(shown).toMatchObject({ kind: 'live', verdict: { level: expect.any(String) } })
  for (const name of status!.sensor[0]!.json_attributes) expect(shown).toHaveProperty(name)

  const [toggle] = config.switch
  const isOn = async () => (await call(toggle!.state_resource, { headers: toggle!.headers }))['active']
  expect(toggle!.is_on_template).toContain('value_json.active')
  for (const body of [toggle!.body_off, toggle!.body_on]) {
    await call(toggle!.resource, { method: 'POST', headers: toggle!.headers, body })
    expect(await isOn()).toBe(body === toggle!.body_on)
  }

  for (const [name, action] of [
    ['relaydeck_pause', 'stopped'],
    ['relaydeck_resume', 'active'],
  ] as const) {
    const command = config.rest_command[name]!
    const body = command.payload.replaceAll(
      /\{\{ state_attr\("sensor\.relaydeck_verdict", "(\w+)"\) \}\}/g,
      (_, field: string) => String(shown[field]),
    )
    const headers = { ...command.headers, 'content-type': command.content_type }
    await call(command.url, { method: command.method.toUpperCase(), headers, body })
    expect((await onAirOf(world, ann)).action).toBe(action)
  }
})

interface Workflow {
  readonly nodes: readonly { readonly name: string; readonly parameters: Readonly<Record<string, string>> }[]
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>>
}

test('n8n retries the channels that a webhook names', async () => {
  const workflow = JSON.parse(localOf(blockOf('json'))) as Workflow
  const parametersOf = (name: string) => workflow.nodes.find((one) => one.name === name)!.parameters
  const next = (name: string) => workflow.connections[name]?.main[0]?.[0]?.node
  expect([next('Webhook'), next('Failed channels'), next('Retry')]).toEqual(['Failed channels', 'Retry', undefined])

  const posted: unknown[] = []
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      posted.push(JSON.parse(text))
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const project_id = ann.projectId
  await world.api(
    webhooks.add,
    { project_id, url: `http://127.0.0.1:${port}/${parametersOf('Webhook')['path']}` },
    { as: ann },
  )
  const { broadcast_id } = await beginBroadcast(world, ann, node)
  await node.channel(project_id, channel, 'rejected', { reason: 'publish-rejected' })
  world.clock.advance(60_000)
  await ageJobs(world.app.db, 60_000)
  await postWebhooks(world)
  expect(posted.length).toBeGreaterThan(1)

  const { jsCode } = parametersOf('Failed channels')
  const items = posted.flatMap((body) => {
    const $input = { first: () => ({ json: { body } }) }
    return runInNewContext(`(() => {${jsCode}\n})()`, { $input }) as { readonly json: object }[]
  })
  expect(items.map(({ json }) => ({ ...json }))).toEqual([{ project_id, broadcast_id, channel_id: channel }])
  const { url: address = '', method = '', jsonBody = '' } = parametersOf('Retry')
  const expression = /^=\{\{ (.*) \}\}$/.exec(jsonBody)?.[1] ?? ''
  const body = runInNewContext(expression, { $json: items[0]!.json }) as string
  const headers = { 'content-type': 'application/json', 'X-API-KEY': await newToken(['control']) }
  const retried = await fetch(address, { method, headers, body })
  expect(retried.status).toBe(201)
})
