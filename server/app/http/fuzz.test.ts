// Every served operation against hostile input, from everybody: no 5xx, no foreign data, every refusal in its shape.
// Made from the contract, so that a new operation is in here the moment it is declared. Seeded: a failure comes again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { describe as describeOperation, type JsonSchema } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { ErrorBody } from '#contract/core/wire.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import { operations } from '#contract/index.ts'
import { findOnAir } from '#server/domain/broadcasts/store.ts'
import { newChannel, share } from '#server/testing/channels.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { roundsOf } from '#server/testing/rounds.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
// Multiples of the callers.
const casesPerOperation = Number(process.env['FUZZ_CASES'] ?? roundsOf({ usual: 30, onPostgres: 6, nightly: 300 }))
/** Operations that got past every check at least once: input that is only hostile would prove little. */
const reached = new Set<string>()
const marker = 'Zaphod-7f3a9'

let world: World
let callers: readonly (readonly [name: string, token: string | undefined])[]
/** Calls the operations of operators only: it may see every project. */
let operator: (typeof callers)[number]
let victim: Person
let team: readonly (readonly [Person, AccessType])[]
let stranger: Person
let viewer: Person
let channelId: number
let broadcastId: number

beforeAll(async () => {
  // Connection tests go to this machine, where nothing listens.
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  victim = await world.user(marker)
  stranger = await world.user('Stranger')
  viewer = await world.user('Viewer')
  const editor = await world.user('Editor')
  team = [
    [viewer, 0],
    [editor, 1],
  ]
  await restoreTeam()
  channelId = await newChannel(world, victim, { name: marker })
  const ended = await world.signIn(stranger)
  await world.api(auth.logout, { refresh: ended.refreshToken })
  operator = ['an operator', (await newOperator(world)).accessToken]
  callers = [
    ['anonymous', undefined],
    ['an ended session', ended.accessToken],
    ['a stranger', stranger.accessToken],
    ['a viewer', viewer.accessToken],
    ['an editor', editor.accessToken],
    ['the owner', victim.accessToken],
  ]
})
afterAll(() => world.close())

/** Members leave, are sent away, or get another role on the way: each operation begins with all of them. */
async function restoreTeam(): Promise<void> {
  const { projectId, id } = victim
  await world.app.db
    .deleteFrom('project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '!=', id)
    .execute()
  for (const [person, role] of team) await world.join(person, projectId, role)
}

test.each(operations.map((op) => [op.id, op] as const))('%s', async (_, op) => {
  await restoreTeam()
  const random = randomFrom(seed + hashOf(op.id))
  const problems: string[] = []
  // The one before it may be removed, renamed, or handed over by now.
  if (op.id.startsWith('channels.')) {
    channelId = await newChannel(world, victim, { name: marker })
    await share(world, channelId, viewer.projectId, 1)
  }
  if (/^(broadcasts|analytics|realtime|chat)\./.test(op.id)) broadcastId = await goOnAir()
  const among = op.auth === 'operator' ? [...callers, operator] : callers
  // Each caller has as many cases, so that the operator gets a turn in the smallest run as well.
  const cases = (casesPerOperation / callers.length) * among.length
  for (let round = 0; round < cases; round++) {
    const [caller, token] = among[round % among.length]!
    const answer = await world.app.inject(hostileRequest(op, random, token))
    if (answer.statusCode < 400) reached.add(op.id)
    const problem = problemOf(op, caller, answer.statusCode, answer.body)
    if (problem)
      problems.push(`${problem}: as ${caller}, round ${round}, seed ${seed}: ${answer.statusCode} ${answer.body}`)
  }
  expect(problems).toEqual([])
})

/** A broadcast of the victim: the one before it may be stopped or paused by now. @returns its number */
async function goOnAir(): Promise<number> {
  const node = someNodeOf(world, `node ${broadcastId}`)
  await node.end(victim.projectId)
  await node.begin(victim.projectId)
  const onAir = await findOnAir(world.app.db, victim.projectId)
  return onAir?.id ?? 0
}

/** Returns a broken guarantee, or null. */
function problemOf(op: Operation, caller: string, status: number, body: string): string | null {
  if (status >= 500) return `A bug, logged as ${world.logged.slice(-2).join('')}`
  if (status >= 400 && !ErrorBody.safeParse(JSON.parse(body)).success) return 'A refusal in another shape'
  const signedOut = caller === 'anonymous' || caller === 'an ended session'
  // A malformed body is refused before authentication.
  const unread = status === 415 || (status === 400 && body.includes('"BadRequest"'))
  if (signedOut && op.auth !== 'none' && status !== 401 && !unread) return 'Let in without a living token'
  const member = ['a viewer', 'an editor', 'the owner', 'an operator'].includes(caller)
  return !member && body.includes(marker) ? 'Foreign data' : null
}

test('the service is alive and well afterwards', async () => {
  expect((await world.app.inject('/readyz')).statusCode).toBe(200)
  // Fewer cases get past the checks of fewer operations.
  expect(reached.size).toBeGreaterThan(operations.length / (casesPerOperation < 100 ? 5 : 2))
})

type Random = () => number
const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!

/** Mulberry32: small, and the same everywhere. */
function randomFrom(start: number): Random {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const hashOf = (text: string) =>
  Array.from(text).reduce((sum, sign) => (Math.imul(sum, 31) + sign.charCodeAt(0)) | 0, 7)

const hostileTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e309',
  '2147483648',
  '9007199254740993',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  "' or '1'='1",
  "'; drop table users; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${7*7}',
  '\u0000',
  'a\u0000b',
  '\r\nSet-Cookie: x=1',
  '\uFEFF',
  '\u202E',
  '𝕏'.repeat(70),
  'é'.repeat(300),
  '\uD800',
  'x'.repeat(5000),
  '__proto__',
  'constructor',
  'oauth',
  'http://169.254.169.254/',
  `java${'script'}:alert(1)`,
  '//evil.example',
]
const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  false,
  null,
  [],
  {},
  [[]],
  { a: { b: {} } },
  ['1', '2'],
]

const plausibleTexts: Readonly<Record<string, readonly string[]>> = {
  rtmp_url: ['rtmp://127.0.0.1:9/live'],
  url: ['rtmp://127.0.0.1:9/live', 'srt://127.0.0.1:9'],
  ingress_url: ['srt://127.0.0.1:9'],
  channel_url: ['https://kick.com/somebody'],
  email: ['somebody@example.com'],
  name: ['Some name'],
  date_from: ['2026-01-01T00:00:00Z'],
  date_to: ['2027-01-01T00:00:00Z'],
}

/** A value that may be right: so that calls get past the first check. */
function plausible(name: string, schema: JsonSchema, random: Random): unknown {
  if (name === 'project_id' || name === 'id') return pick(random, [victim.projectId, stranger.projectId, 2_147_483_647])
  // Ending the session of the caller would make the remaining calls unauthenticated.
  if (name === 'session_id') return 2_147_483_647
  if (name === 'target_project_id') return viewer.projectId
  const known = plausibleTexts[name]
  if (known && schema.type === 'string') return pick(random, known)
  if (name === 'channel_id' && schema.type === 'integer') return pick(random, [channelId, channelId, 2_147_483_647])
  if (name === 'broadcast_id' && schema.type === 'integer') return pick(random, [broadcastId, 2_147_483_647])
  if (schema.type === 'array') return [plausible(name.replace(/s$/, ''), schema.items ?? {}, random)]
  if (name === 'refresh') return pick(random, ['x'.repeat(43), stranger.accessToken])
  if (schema.enum) return pick(random, schema.enum)
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return plausible(name, pick(random, schema.anyOf as JsonSchema[]), random)
  if (schema.type === 'object') return plausibleObject(schema, random)
  return pick(random, plausibleOf[String(schema.type)] ?? ['some-text-of-enough-length', '123456789'])
}

const numbers = [1, 2, 5, 20, 100]
const plausibleOf: Readonly<Record<string, readonly unknown[]>> = {
  integer: numbers,
  number: numbers,
  boolean: [true, false],
}

/** A field in ten is hostile: the rest of the object lets it reach the handler. */
function plausibleObject({ properties = {} }: JsonSchema, random: Random): unknown {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = random() < 0.9 ? plausible(name, schema, random) : pick(random, hostileValues)
    return [name, value] as const
  })
  return Object.fromEntries(fields)
}

function hostileRequest(op: Operation, random: Random, token: string | undefined) {
  const fields: [string, unknown][] = []
  for (const { name, schema } of describeOperation(op).parameters) {
    const dice = random()
    if (dice < 0.08) continue
    fields.push([name, dice < 0.76 ? plausible(name, schema, random) : pick(random, hostileValues)])
    if (dice > 0.96) fields.push([name, pick(random, hostileValues)])
  }
  if (random() < 0.15)
    fields.push([pick(random, ['__proto__', 'constructor', 'toString', 'v[]']), pick(random, hostileValues)])
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `${pick(random, ['oauth', 'Bearer'])} ${token}` }
  const query = fields.map(([name, value]) => `${encodeURIComponent(name)}=${encode(value)}`).join('&')
  const base = { method: op.method, headers }
  if (op.placement === 'query') return { ...base, url: `${op.path}?${query}` }
  if (op.placement === 'multipart') return { ...base, url: op.path, payload: multipartOf(fields, random) }
  const odd = random() < 0.1
  const payload = odd ? pick(random, ['{', '[]', '"x"', 'null', '', '{"a":1e999}']) : jsonOf(fields)
  const type = random() < 0.05 ? 'text/plain' : 'application/json'
  return { ...base, url: op.path, headers: { ...headers, 'content-type': type }, payload }
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return encodeURIComponent(text.toWellFormed())
}

/** By hand: an object could not say a key twice, or be named `__proto__`. */
const jsonOf = (fields: readonly [string, unknown][]): string =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`

function multipartOf(fields: readonly [string, unknown][], random: Random): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    const bytes = new Uint8Array(Math.floor(random() * 3000))
    if (random() < 0.5) bytes.set([0xff, 0xd8, 0xff].slice(0, bytes.length))
    if (name === 'avatar' && random() < 0.6) form.append(name, new Blob([bytes], { type: 'image/jpeg' }), 'a.jpg')
    else form.append(name, String(value))
  }
  return form
}
