// A payment provider is five files: nothing else in the product names one, and a planted one is offered.
import { globSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlantedTree } from './planted-tree.ts'

let tree: PlantedTree
beforeEach(() => {
  tree = new PlantedTree()
})
afterEach(() => tree.remove())

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
  for (const [path, text] of Object.entries(files)) tree.write(path, text)
  expect(tree.node('scripts/house/registries.ts').stderr).toBe('')
  const { stdout, stderr } = tree.evaluate(shown)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(['plant', 7, 'Plant'])
  expect(tree.typeErrors(['server/domain/billing/providers/plant'])).toBe('')
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
