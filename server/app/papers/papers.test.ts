import { afterAll, beforeAll, expect, test } from 'vitest'
import { papers } from '#contract/areas/billing/papers.ts'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import type { Language } from '#contract/core/wire.ts'
import { transaction } from '#server/db/transaction.ts'
import { beginPayment } from '#server/domain/billing/payments/begin.ts'
import { markPaid } from '#server/domain/billing/providers/invoice/provider.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import { getPayment } from '#server/domain/billing/payments/payments.ts'
import { issuePaper } from '#server/domain/billing/papers/papers.ts'
import { updatePaperSettings } from '#server/domain/billing/profile-store.ts'
import { someAddressOfUs } from '#server/testing/billing.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let payment = 0

beforeAll(async () => {
  world = await testApp({ INVOICE_DETAILS: 'Pay to the account 1' })
  ann = await world.user()
  await updatePaperSettings(world.app.db, {
    seller_name: 'ООО «Пример»',
    seller_address: 'Невский проспект, 1\nСанкт-Петербург',
    seller_tax_id: '7700000000',
    tax_system: null,
    vat_code: null,
  })
})
afterAll(() => world.close())

/** Issues a receipt, and returns its links. */
async function receipt(company_name = 'Ann Ltd', as = ann, language: Language = 'en') {
  const { projectId: project_id } = as
  const details = { project_id, countrie_id: 840, email: 'ann@example.com', pay_system_id: 0, ...someAddressOfUs }
  await world.api(paySettings.set, { ...details, company_name }, { as })
  const id = ++payment
  await transaction(world.app.db, (trx) =>
    issuePaper(trx, world, {
      kind: 'receipt',
      source: `payment ${id}`,
      amountMinor: 123_456,
      payment: { id, project_id, currency: 'usd', type: 'restream', title: 'Pro', period: 'year', provider: 'stripe' },
    }),
  )
  const answer = await world.app.inject({
    url: `/method/payment/paper?v=1&language=${language}&project_id=${project_id}&payment_id=${id}`,
    headers: { authorization: `oauth ${as.accessToken}` },
  })
  const [link] = (answer.json() as { results: { url: string; pdf_url: string; number: string }[] }).results
  if (!link) throw new Error(answer.body)
  return link
}

const open = (url: string) => world.app.inject({ url })

test('lists the papers of a payment, and none of another project', async () => {
  const { number } = await receipt()
  const { body } = await world.api(papers.list, { project_id: ann.projectId, payment_id: payment }, { as: ann })
  expect(body.results).toEqual([expect.objectContaining({ kind: 'receipt', number, amount: 123_456, currency: 'usd' })])
  const bob = await world.user('Bob')
  const asked = { project_id: bob.projectId, payment_id: payment }
  expect((await world.api(papers.list, asked, { as: bob })).body.results).toEqual([])
})

test('a payment by invoice has its invoice from the beginning, and a receipt once it is paid', async () => {
  const bob = await world.user('Bob')
  const { projectId: project_id } = bob
  const { payment_id } = (await world.api(payments.create, { project_id, type: 'topup', amount: 2500 }, { as: bob }))
    .body
  const kinds = async () =>
    (await world.api(papers.list, { project_id, payment_id }, { as: bob })).body.results.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['invoice'])
  const row = await getPayment(world.services, project_id, payment_id)
  await beginPayment(world.services, row)
  await markPaid(world.services, row.uuid, 2500)
  await checkPayment(world.services, payment_id)
  expect(await kinds()).toEqual(['invoice', 'receipt'])
})

test('an invoice has bank details, reference, due date and net amount; a business abroad has reverse charge', async () => {
  const eve = await world.user('Eve')
  const { projectId: project_id } = eve
  const tax = { country_id: 276, percent_hundredths: 1900, label: 'VAT', reverse_charge: 1 } as const
  await world.app.db.insertInto('tax_rates').values(tax).execute()
  const details = { project_id, countrie_id: 276, email: 'e@example.com', pay_system_id: 0, ...someAddressOfUs }
  const invoice = async (tax_id?: string) => {
    await world.api(paySettings.set, { ...details, company_name: 'Eve GmbH', ...(tax_id && { tax_id }) }, { as: eve })
    const asked = { project_id, type: 'topup', amount: 11_900 } as const
    const { payment_id } = (await world.api(payments.create, asked, { as: eve })).body
    const [paper] = (await world.api(papers.list, { project_id, payment_id }, { as: eve })).body.results
    const { body } = await open(paper?.url ?? '')
    const pdf = await open(paper?.pdf_url ?? '')
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    return {
      number: paper?.number ?? '',
      text: body.replaceAll(/<style>.*<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' '),
    }
  }
  const due = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  const until = due.format(world.clock.now().getTime() + 14 * 86_400_000)
  const { number, text } = await invoice()
  for (const part of [
    `Pay until ${until}`,
    `Payment reference ${number}`,
    'Bank details Pay to the account 1',
    'Amount due $119.00 Net amount $100.00 including VAT 19 % $19.00',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('Reverse charge')
  const business = (await invoice('DE123456789')).text
  expect(business).toContain('Amount due $119.00 Reverse charge: the buyer accounts for the tax.')
  expect(business).not.toContain('Net amount')
})

test.each([
  ['en', ['Receipt', 'Restream plan: Pro, 1 year', '$1,234.56', 'Bill to', 'United States', 'Невский проспект, 1']],
  ['ru', ['Квитанция', 'Тариф рестрима: Pro, 1 год', '1\u00a0234,56\u00a0$', 'Соединенные Штаты']],
  ['cn', ['收据', '转播套餐：Pro，1 年', 'US$1,234.56', '美国']],
] as const)('shows the page in %s', async (language, texts) => {
  const { url } = await receipt('Ann Ltd', ann, language)
  const { statusCode, headers, body } = await open(url)
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const text of texts) expect(body).toContain(text)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['cache-control']).toBe('private, no-store')
})

test.each(['en', 'ru', 'cn'] as const)('makes a PDF where the language is %s', async (language) => {
  const { pdf_url } = await receipt('Ann Ltd', ann, language)
  const { statusCode, headers, rawPayload } = await open(pdf_url)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect(rawPayload.length).toBeGreaterThan(4000)
})

test('makes the PDF of a paper once, for all requests and replicas', async () => {
  const { pdf_url: url } = await receipt()
  const other = await world.replica()
  // Each PDF that is made has another id.
  const answers = await Promise.all([open(url), open(url), open(url)])
  answers.push(await other.inject({ url }), await open(url))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString('base64'))).size).toBe(1)
})

test.each([
  ['markup', '<script>alert(1)</script>"\'&'],
  ['a formula', '=cmd()|"/C calc"!A0'],
  ['emoji', '😀'.repeat(127)],
  ['Chinese', '中文公司'],
  ['one long word', 'W'.repeat(255)],
  ['text from right to left', 'שלום \u202Ealert'],
  ['lone surrogates', 'a\uD800b'],
])('billing check 14: survives %s as the name of a company', async (_, name) => {
  const { url, pdf_url } = await receipt(name)
  const page = await open(url)
  expect(page.statusCode).toBe(200)
  expect(page.body).not.toContain('<script')
  expect((await open(pdf_url)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
})

test('escapes the name of a company', async () => {
  const { body } = await open((await receipt('<b>Ann</b> & Co')).url)
  expect(body).toContain('&lt;b&gt;Ann&lt;/b&gt; &amp; Co')
})

test('opens only with its own ticket, for ten minutes, and while its reader is in the project', async () => {
  const first = await receipt()
  const second = await receipt()
  const ticket = first.url.split('ticket=')[1]
  const status = async (url: string) => (await open(url)).statusCode
  expect(await status(first.url)).toBe(200)
  expect(await status(first.url.split('?')[0] ?? '')).toBe(401)
  expect(await status(`${second.url.split('ticket=')[0]}ticket=${ticket}`)).toBe(401)
  expect(await status(first.url.replace('.html', '.exe'))).toBe(401)
  expect(await status(`${first.url}x`)).toBe(401)

  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  const asked = { project_id: ann.projectId, payment_id: payment }
  const [link] = (await world.api(papers.list, asked, { as: bob })).body.results
  expect(await status(link?.url ?? '')).toBe(200)
  await world.app.db
    .deleteFrom('project_members')
    .where('user_id', '=', bob.id)
    .where('project_id', '=', ann.projectId)
    .execute()
  expect(await status(link?.url ?? '')).toBe(401)

  world.clock.advance(600_001)
  expect(await status(first.url)).toBe(401)
})
