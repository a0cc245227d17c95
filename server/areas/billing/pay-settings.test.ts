import { afterAll, beforeAll, expect, test } from 'vitest'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Input } from '#contract/core/operation.ts'
import { setBalance, setRate, someAddressOfUs } from '#server/testing/billing.ts'
import { upgrade } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

type Details = Omit<Input<typeof paySettings.set>, 'project_id'>
const inRussia = { countrie_id: 643, email: 'ivan@example.com', pay_system_id: 0 }
const inUs = { ...inRussia, countrie_id: 840, ...someAddressOfUs }

const set = (as: Person, details: Details) =>
  world.api(paySettings.set, { project_id: as.projectId, ...details }, { as })
const check = (as: Person, country_id: number) =>
  world.api(paySettings.checkCountry, { project_id: as.projectId, country_id }, { as })
const get = async (as: Person) => (await world.api(paySettings.get, { project_id: as.projectId }, { as })).body.result
const currencyOf = async (as: Person) =>
  (await world.api(projects.info, { project_id: as.projectId }, { as })).body.data

/** A user whose project has no money. */
async function penniless(): Promise<Person> {
  const person = await world.user()
  await setBalance(world, person.projectId, {})
  return person
}

async function withRate(kopecksPerDollar: number | null, run: () => Promise<void>): Promise<void> {
  await setRate(world.app.db, kopecksPerDollar)
  await run()
  await setRate(world.app.db, null)
}

test('has no billing details until they are set', async () => {
  expect(await get(await world.user())).toBeNull()
})

test('keeps what the English form sends, with the tax id', async () => {
  const ann = await world.user()
  expect(
    (await set(ann, { ...inUs, company_name: 'Ann Ltd', tax_id: 'US 1', description: ' two\nlines ' })).status,
  ).toBe(200)
  expect(await get(ann)).toEqual({
    ...inUs,
    project_id: ann.projectId,
    currency: 'usd',
    organization_id: null,
    company_name: 'Ann Ltd',
    tax_id: 'US 1',
    description: 'two\nlines',
  })
})

test('replaces all details with each call', async () => {
  const ann = await world.user()
  await set(ann, { ...inUs, company_name: 'Ann Ltd' })
  await set(ann, { ...inUs, city: 'Oakland' })
  expect(await get(ann)).toMatchObject({ company_name: null, city: 'Oakland' })
})

test('requires an address outside Russia, and none in Russia', async () => {
  const ann = await penniless()
  const { error } = await set(ann, { ...inRussia, countrie_id: 276 })
  expect(error?.validator_error?.map(({ property }) => property)).toEqual([
    'street',
    'house_number',
    'zip',
    'city',
    'state',
  ])
  expect((await set(ann, inRussia)).status).toBe(200)
})

test('refuses a country that does not exist', async () => {
  const ann = await world.user()
  expect((await set(ann, { ...inRussia, countrie_id: 1 })).error?.name).toBe('I18nValidationException')
  expect((await check(ann, 999)).error?.name).toBe('I18nValidationException')
})

test.each(['v=1', 'v=3'])('reads the billing details with %s', async (version) => {
  const ann = await world.user()
  const answer = await world.app.inject({
    url: `/method/pay-setting?${version}&language=en&project_id=${ann.projectId}`,
    headers: { authorization: `oauth ${ann.accessToken}` },
  })
  expect(answer.json()).toEqual({ result: null })
})

test('switches the currency of a project without money', async () => {
  const ann = await penniless()
  expect((await check(ann, 643)).body).toEqual({
    confirm: false,
    exchange: 1,
    currency: 'rub',
    country: { id: 643, code: 'RU', name: 'Russia' },
    balance: { bonus: 0, payment: 0, profit: 0 },
  })
  await set(ann, inRussia)
  expect(await currencyOf(ann)).toMatchObject({ currency: 'rub', country_id: 643 })
})

test('refuses another currency while there is money and no exchange rate', async () => {
  const ann = await penniless()
  await setBalance(world, ann.projectId, { payment: 1 })
  const { error } = await check(ann, 643)
  expect(error).toMatchObject({ name: 'CurrencyInUse', data: { reasons: ['money'] } })
  expect((await set(ann, inRussia)).error?.name).toBe('CurrencyInUse')
  expect(await get(ann)).toBeNull()
})

test('refuses another currency while a plan runs, also with an exchange rate', async () => {
  const ann = await world.user()
  await upgrade(world, ann, 2)
  await withRate(9000, async () => {
    expect((await check(ann, 643)).error).toMatchObject({ name: 'CurrencyInUse', data: { reasons: ['plans'] } })
  })
})

test("exchanges the balance at the operator's rate, rounded down, with two movements", async () => {
  const ann = await penniless()
  await setBalance(world, ann.projectId, { bonus: 101, payment: 250, profit: 3 })
  await withRate(9055, async () => {
    const { body } = await check(ann, 643)
    expect(body).toMatchObject({ confirm: true, exchange: 90.55, currency: 'rub' })
    expect(body.balance).toEqual({ bonus: 9145, payment: 22_637, profit: 271 })
    await set(ann, inRussia)
    expect(await currencyOf(ann)).toMatchObject({ balance_bonus: 9145, balance_payment: 22_637, balance_profit: 271 })
    expect((await check(ann, 840)).body.balance).toEqual({ bonus: 100, payment: 249, profit: 2 })
  })
  const booked = await world.app.db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_transactions', 'ledger_transactions.id', 'ledger_entries.transaction_id')
    .select(['currency', 'account', 'amount_minor'])
    .where('type', '=', 'conversion')
    .where('ledger_entries.project_id', '=', ann.projectId)
    .where('account', '=', 'exchange')
    .orderBy('ledger_entries.id')
    .execute()
  expect(booked).toEqual([
    { currency: 'usd', account: 'exchange', amount_minor: 354 },
    { currency: 'rub', account: 'exchange', amount_minor: -32_053 },
  ])
})

test.each([
  ['a line break', { city: 'San\nFrancisco' }],
  ['an e-mail that is none', { email: 'ann' }],
  ['a company of 256 characters', { company_name: 'a'.repeat(256) }],
  ['a description of 1,001 characters', { description: 'a'.repeat(1001) }],
])('refuses %s', async (_, part) => {
  expect((await set(await world.user(), { ...inUs, ...part })).error?.name).toBe('I18nValidationException')
})

test('billing check 14: takes a company name that looks like markup, a formula, or is 255 emoji wide', async () => {
  const ann = await world.user()
  for (const company_name of ['<script>alert(1)</script>', '=cmd()', '😀'.repeat(127)]) {
    await set(ann, { ...inUs, company_name })
    expect((await get(ann))?.company_name).toBe(company_name)
  }
})

test('leaves an entry in the history of the project', async () => {
  const ann = await world.user()
  await set(ann, inUs)
  const rows = await world.app.db
    .selectFrom('project_history')
    .select(['action', 'user_id'])
    .where('project_id', '=', ann.projectId)
    .where('action', '=', 'billing_details_changed')
    .execute()
  expect(rows).toEqual([{ action: 'billing_details_changed', user_id: ann.id }])
})
