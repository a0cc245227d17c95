// MCP over HTTP against the service, by the client of the SDK: sign-in by OAuth, tokens, and requests of attackers.
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { apps } from '#contract/areas/account/apps.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { back, oauthScene } from '#server/testing/oauth-app.ts'
import { mcpOverHttp } from './http.ts'
import { toolsFor, usableScopes } from './tools.ts'

const scene = oauthScene()
let address: URL
const errors: Error[] = []

beforeEach(async () => {
  errors.length = 0
  address = await serve(scene.base)
})

async function serve(url: string): Promise<URL> {
  const port = await freePort()
  const at = new URL(`http://127.0.0.1:${port}/mcp`)
  const onError = (error: Error) => void errors.push(error)
  const server = mcpOverHttp({ url, language: 'en', version: '1', address: at.href, onError }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return at
}

/** The address is a setting, so that the port has to be known before. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

const newToken = async (scopes: readonly Scope[]) =>
  (await scene.world.api(apiTokens.create, { name: 'MCP', scopes: [...scopes] }, { as: scene.ann })).body

async function connect(token: string) {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

const send = (init: RequestInit = {}) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ...init,
  })

test('an assistant finds the service by the address, connects by OAuth, and calls tools of its scopes', async () => {
  const registered = await scene.register({
    scopes: ['project:read', 'broadcasts:read', 'channels:read', 'chat:read', 'control'],
  })
  const kept: { tokens?: unknown; verifier?: string; url?: URL } = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl: back,
    clientMetadata: { redirect_uris: [back] },
    clientInformation: () => ({ client_id: registered.client_id }),
    tokens: () => kept.tokens as undefined,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.url = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  }
  const transport = new StreamableHTTPClientTransport(address, { authProvider })
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toBeInstanceOf(UnauthorizedError)
  expect(kept.url?.origin).toBe(new URL(scene.base).origin)
  const { url } = await scene.consent(kept.url ?? new URL(scene.base))
  await transport.finishAuth(url.searchParams)

  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider }))
  onTestFinished(() => client.close())
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names.toSorted()).toEqual([...toolsFor(usableScopes).map(({ name }) => name), 'explain'].toSorted())
  const said = await client.callTool({ name: 'explain', arguments: {} })
  expect(said).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('Off air') }] })

  const [grant] = (await scene.world.api(apps.connected, {}, { as: scene.ann })).body.results
  await scene.world.api(apps.disconnect, { grant_id: grant?.grant_id ?? 0 }, { as: scene.ann })
  await expect(client.callTool({ name: 'explain', arguments: {} })).rejects.toThrow('grant request is invalid')
  expect(errors).toEqual([])
})

test('has the tools of an API token, and none of it after its revocation', async () => {
  const { token, id } = await newToken(['broadcasts:read'])
  const client = await connect(token)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual(
    toolsFor(['broadcasts:read'])
      .map(({ name }) => name)
      .toSorted(),
  )
  await scene.world.api(apiTokens.revoke, { token_id: id }, { as: scene.ann })
  await expect(client.listTools()).rejects.toThrow('revoked')
})

test('names where to sign in, and refuses tokens that are none', async () => {
  const bearer = (token: string) => send({ headers: { authorization: `Bearer ${token}` } })
  for (const answer of [await send(), await bearer('rdk_wrong'), await bearer('a'.repeat(3000))]) {
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain(
      `${address.origin}/.well-known/oauth-protected-resource/mcp`,
    )
  }
  const about = await fetch(`${address.origin}/.well-known/oauth-protected-resource/mcp`)
  expect(await about.json()).toMatchObject({
    resource: address.href,
    authorization_servers: [scene.base],
    scopes_supported: [...usableScopes, 'offline_access'],
  })
  expect(errors).toEqual([])
})

test('refuses pages of other origins, other names, long requests, and what is no request', async () => {
  const { token } = await newToken(['broadcasts:read'])
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  expect((await send({ headers: { ...headers, origin: 'https://evil.example' } })).status).toBe(403)
  const named = httpRequest(address, { method: 'POST', headers: { ...headers, host: 'evil.example' } }).end('{}')
  const [response] = (await once(named, 'response')) as [{ statusCode: number; resume(): void }]
  response.resume()
  expect(response.statusCode).toBe(403)
  expect((await send({ headers, body: JSON.stringify({ text: 'a'.repeat(300_000) }) })).status).toBe(413)
  for (const body of ['', '{', '[]', '7', '{"jsonrpc":"2.0","method":5}']) {
    const { status } = await send({ headers, body })
    expect([status, status >= 400 && status < 500]).toEqual([status, true])
  }
  expect((await fetch(`${address.origin}/other`, { headers })).status).toBe(404)
  expect((await connect(token)).getServerVersion()?.name).toBe('relaydeck')
})

test('answers no page that has pointed its own name at this machine, whatever it calls itself', async () => {
  const { token } = await newToken(['broadcasts:read'])
  const ask = async (more: Readonly<Record<string, string>>, path = address.pathname) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more }
    const sent = httpRequest(address, { method: 'POST', headers, path }).end('{}')
    const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }]
    response.resume()
    return response.statusCode
  }
  for (const host of [
    'evil.example',
    `evil.example:${address.port}`,
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '',
    '127.0.0.1@evil.example',
    '[::1].evil.example',
  ])
    expect([host, await ask({ host })]).toEqual([host, /^$|@|\]/.test(host) ? 400 : 403])
  for (const origin of [
    'null',
    'https://evil.example',
    'http://127.0.0.1.evil.example',
    'http://localhost@evil.example',
    'file://',
    'chrome-extension://abc',
  ])
    expect([origin, await ask({ origin })]).toEqual([origin, 403])
  expect(await ask({ origin: address.origin })).not.toBe(403)
  for (const path of [
    '//evil.example/mcp',
    '*',
    '/%',
    '/mcp/../x',
    'http://evil.example/mcp',
    '/\\evil.example',
    '/mcp#x',
  ]) {
    const status = await ask({}, path)
    expect([path, status >= 400 && status < 500]).toEqual([path, true])
  }
})

test('a flood of sessions leaves nothing behind: there are none', async () => {
  const { token } = await newToken(['broadcasts:read'])
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'flood', version: '1' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const begin = async () => {
    const answer = await send({ headers, body })
    await answer.text()
    return [answer.status, answer.headers.get('mcp-session-id')]
  }
  const answers = (await Promise.all(Array.from({ length: 200 }, begin))).map((one) => one.join())
  expect([...new Set(answers)]).toEqual(['200,'])
  // A stream for messages of the server would stay open for each client; there is none to open or to end.
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(address, { method, headers: { ...headers, 'mcp-session-id': 'x' } })
    await answer.text()
    expect([method, answer.status]).toEqual([method, 405])
  }
  // Tokens that are none cost a question to the service, and no more.
  const strangers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => send({ headers: { ...headers, authorization: `Bearer rdk_${at}` }, body })),
  )
  expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await connect(token)).getServerVersion()?.name).toBe('relaydeck')
  expect(errors).toEqual([])
})

test('says that the service does not respond, without asking to sign in again', async () => {
  address = await serve('http://127.0.0.1:1')
  const { token } = await newToken(['broadcasts:read'])
  const answer = await send({ headers: { authorization: `Bearer ${token}` } })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await fetch(`${address.origin}/.well-known/oauth-protected-resource/mcp`)).status).toBe(503)
})
