// Settings of papers: each part alone, their log, and the values that are refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { papers } from '#contract/areas/operator/papers.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp()
  operator = await newOperator(world)
})
afterAll(() => world.close())

const known = async () => (await world.api(papers.get, {}, { as: operator })).body
const reason = 'A test'

test('sets seller, exchange rate and receipt codes apart from each other, with a log', async () => {
  const seller = { seller_name: 'Relay GmbH', seller_address: 'Street 1\n10115 Berlin', seller_tax_id: 'DE1' }
  await world.api(papers.setSeller, { ...seller, reason }, { as: operator })
  const pair = { from: 'usd', to: 'rub', minor: 9250 } as const
  await world.api(papers.setExchange, { ...pair, reason }, { as: operator })
  const itself = await world.api(papers.setExchange, { ...pair, to: 'usd', reason }, { as: operator })
  expect(itself.status).toBe(400)
  await world.api(papers.setReceipts, { tax_system: 2, vat_code: 1, reason }, { as: operator })
  const all = { ...seller, rates: [pair], tax_system: 2, vat_code: 1 }
  expect(await known()).toEqual({ ...all, taxes: [] })
  await world.api(papers.setReceipts, { tax_system: null, vat_code: null, reason }, { as: operator })
  expect(await known()).toEqual({ ...all, tax_system: null, vat_code: null, taxes: [] })
  const log = await world.app.db
    .selectFrom('operator_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  expect(log).toMatchObject({
    action: 'receipts',
    before: JSON.stringify({ tax_system: 2, vat_code: 1 }),
    after: JSON.stringify({ tax_system: null, vat_code: null }),
    reason,
  })
})

test('adds, changes and removes the tax of a country', async () => {
  const set = (percent: number, reverse_charge = false) =>
    world.api(papers.setTax, { country_id: 276, percent, label: 'USt', reverse_charge, reason }, { as: operator })
  await set(19)
  expect((await known()).taxes).toEqual([{ country_id: 276, percent: 19, label: 'USt', reverse_charge: false }])
  await set(7.25, true)
  expect((await known()).taxes).toEqual([{ country_id: 276, percent: 7.25, label: 'USt', reverse_charge: true }])
  await set(0)
  expect((await known()).taxes).toEqual([])
})

test('refuses one receipt code without the other, unknown countries, and every caller but operators', async () => {
  const half = { tax_system: 1, vat_code: null, reason }
  expect(await world.api(papers.setReceipts, half, { as: operator })).toMatchObject({ status: 400 })
  const nowhere = { country_id: 5, percent: 19, label: 'VAT', reason }
  expect(await world.api(papers.setTax, nowhere, { as: operator })).toMatchObject({ status: 400 })
  expect(await world.api(papers.get, {}, { as: await world.user() })).toMatchObject({ status: 403 })
})

test('names no provider while none is configured', async () => {
  expect((await world.api(settings.get, {}, { as: operator })).body.providers).toEqual([])
})
