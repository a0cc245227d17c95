// Commands of the terminal: operators, catalogues, the check of the ledger.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { security } from '#contract/areas/account/security.ts'
import { hasOperator } from '#server/domain/installation/store.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { commands } from './commands.ts'

let world: World
let printed: string[]
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())
beforeEach(() => {
  printed = []
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
})

/** Runs a command. The app of the test stays open. */
async function run(name: string, ...about: string[]) {
  await commands[name]?.({ ...world.app, close: async () => undefined }, about)
  const output = printed.join('')
  const code = process.exitCode ?? 0
  return { output, code }
}

const file = (content: unknown) => {
  const path = join(mkdtempSync(join(tmpdir(), 'relaydeck-catalogue-')), 'catalogue.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('makes operators by e-mail', async () => {
  const me = await world.user()
  expect(await run('operator', me.email.toUpperCase())).toMatchObject({ code: 0 })
  expect(await hasOperator(world.app.db, me.id)).toBe(true)
  expect((await run('operator', me.email)).output).toContain('is an operator already')
  expect(await run('operator', 'unknown@example.com')).toMatchObject({ code: 1 })
})

test('removes the second factors of an account, and ends its sessions', async () => {
  const me = await world.user()
  expect((await run('recover', me.email)).output).not.toContain('second factor')
  printed = []
  expect((await run('recover', me.email, 'factors')).output).toContain('has no second factor')
  expect((await world.api(auth.me, {}, { as: me })).status).toBe(200)

  const { body } = await world.api(security.beginAuthenticator, {}, { as: me })
  const app = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const code = app.generate({ timestamp: world.clock.now().getTime() })
  await world.api(security.confirmAuthenticator, { code }, { as: me })
  printed = []
  expect((await run('recover', me.email)).output).toContain(`npm start -- recover ${me.email} factors`)
  printed = []
  expect(await run('recover', me.email.toUpperCase(), 'factors')).toMatchObject({ code: 0 })
  expect((await world.api(auth.me, {}, { as: me })).status).toBe(401)
  const again = await world.signIn(me)
  const factors = await world.api(security.get, {}, { as: again })
  expect(factors.body).toMatchObject({ authenticator: null, recovery_codes: 0 })
  expect(await run('recover', 'unknown@example.com', 'factors')).toMatchObject({ code: 1 })
})

test('exports the catalogues, and imports what was changed', async () => {
  const { output } = await run('catalogue', 'export')
  const content = JSON.parse(output)
  expect(content.restream.plans.map(({ title }: { title: string }) => title)).toContain('Studio')
  content.restream.plans[1].price_usd = 690
  content.restream.discounts.year = 15
  content.storage.plans[0].title = 'Space'
  printed = []
  expect(await run('catalogue', 'import', file(content))).toMatchObject({ code: 0 })
  printed = []
  const again = JSON.parse((await run('catalogue', 'export')).output)
  expect(again).toEqual(content)
})

test('exports the catalogues into a file, without what npm prints', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'relaydeck-catalogue-')), 'plans.json')
  expect(await run('catalogue', 'export', path)).toMatchObject({ code: 0, output: `${path} written\n` })
  expect(await run('catalogue', 'import', path)).toMatchObject({ code: 0 })
  expect(await run('catalogue', 'export', '/nowhere/plans.json')).toMatchObject({ code: 1 })
})

test.each([
  ['no JSON', '{'],
  ['a wrong type', { storage: { discounts: { month: 0, year: 0 }, plans: [{ title: 7 }] } }],
  ['a percent above 100', { storage: { discounts: { month: 0, year: 101 }, plans: [] } }],
])('refuses a file with %s, and names it', async (_, content) => {
  const path = file(content)
  const { code, output } = await run('catalogue', 'import', path)
  expect([code, output.startsWith(path)]).toEqual([1, true])
})

test('names a missing file', async () => {
  expect(await run('catalogue', 'import', '/nowhere.json')).toMatchObject({ code: 1 })
})

test('checks the ledger', async () => {
  expect(await run('ledger', 'check')).toMatchObject({ code: 0 })
  const me = await world.user()
  await world.app.db.updateTable('wallets').set({ profit_minor: 1 }).where('project_id', '=', me.projectId).execute()
  printed = []
  const { code, output } = await run('ledger', 'check')
  expect([code, output.includes(String(me.projectId))]).toEqual([1, true])
})
