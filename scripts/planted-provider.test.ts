// A payment provider is five files: nothing else in the product names one, and a planted one is offered.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let tree: string
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'planted-'))
  for (const part of [
    'contract',
    'locales',
    'server',
    'src',
    'docs',
    'scripts/house',
    'package.json',
    'tsconfig.base.json',
  ])
    cpSync(part, join(tree, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'))
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

const provider = `import { payModule } from '#server/domain/billing/providers/module.ts'
import { check } from './api.ts'
import { paymentOf } from './seen.ts'
import type { PlantAccount } from './settings.ts'

export const plantModule = payModule('plant', 9, (_services, { key }: PlantAccount) => ({
  name: 'plant',
  systems: [
    { id: 99, currency: 'usd', name: 'Plant', description: 'Pays.', minAmount: 1, maxAmount: 1_000, recurrent: false },
  ],
  begin: async ({ uuid }) => ({ payId: uuid, redirectUrl: 'https://plant.example/' + uuid, customer: null }),
  find: async () => null,
  charge: async () => ({ payId: null, outcome: 'declined', reason: 'no', final: true, actionUrl: null }),
  check: async (payId) => paymentOf(await check(key, payId)),
  cancel: async () => {},
  refund: async () => {},
  readWebhook: async () => null,
  listedAfterMs: null,
  async *since() {},
}))
`
const files = {
  'server/domain/billing/providers/plant/provider.ts': provider,
  'server/domain/billing/providers/plant/api.ts': `/** Returns a payment. */
export const check = async (key: string, payId: string): Promise<{ id: string; cents: number }> => ({ id: payId, cents: key.length })
`,
  'server/domain/billing/providers/plant/seen.ts': `import type { ProviderPayment } from '#server/domain/billing/providers/provider.ts'

export const paymentOf = ({ id, cents }: { id: string; cents: number }): ProviderPayment => ({
  payId: id, payRef: null, uuid: id, status: 'pending', reason: null, amountMinor: cents, currency: 'usd', feeMinor: null,
  method: null, actionUrl: null, refunds: [], disputes: [],
})
`,
  'server/domain/billing/providers/plant/settings.ts': `import * as z from 'zod/mini'
import { env, settings } from '#server/core/variables.ts'

export interface PlantAccount { readonly key: string }
export const plantSettings = settings({
  plant: env('PLANT_KEY', z.string(), '', 'Key of Plant', (key): PlantAccount | null => (key === '' ? null : { key })),
})
`,
  'contract/entities/pay-providers/plant.ts': `import type { PayProviderFacts } from './facts.ts'

export const plant: PayProviderFacts = {
  texts: { en: { title: 'Plant', text: 'Pays.', name: 'Plant' }, ru: { title: 'P', text: 'P', name: 'P' }, cn: { title: 'P', text: 'P', name: 'P' } },
}
`,
}

/** Reads the configuration, creates the providers, and prints what pages and papers show. */
const shown = `import { payProviderFacts } from '#contract/entities/pay-provider-facts.ts'
import { readConfig } from '#server/app/settings.ts'
import { payProviders } from '#server/domain/billing/providers/registry.ts'
const config = readConfig({ PLANT_KEY: 'seven77', PROVIDER_BASES: 'plant=http://127.0.0.1:9' })
const [one] = payProviders({ config })
const { amountMinor } = await one.check('12')
console.log(JSON.stringify([one.name, amountMinor, payProviderFacts('plant').texts.en.title]))
`

test('offers a provider of five new files', () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(tree, path, '..'), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' })
  expect(run('scripts/house/registries.ts').stderr).toBe('')
  const { stdout, stderr } = run('--input-type=module', '--eval', shown)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(['plant', 7, 'Plant'])
  const config = { extends: './tsconfig.base.json', include: ['server/domain/billing/providers/plant'] }
  writeFileSync(
    join(tree, 'tsconfig.json'),
    JSON.stringify({ ...config, compilerOptions: { types: ['node'], composite: false, emitDeclarationOnly: false } }),
  )
  expect(run('node_modules/typescript/bin/tsc', '--noEmit').stdout).toBe('')
})

test.each(['stripe', 'paypal', 'yookassa'])('no other file of the product names %s', (name) => {
  const own = new RegExp(`(pay-providers|providers)/${name}[./]|\\.gen\\.ts$`)
  const named = globSync('{contract,server,src}/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file) && !own.test(file))
    .filter((file) =>
      new RegExp(String.raw`\b${name}\b`, 'i').test(
        readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, ''),
      ),
    )
  expect(named).toEqual([])
})
