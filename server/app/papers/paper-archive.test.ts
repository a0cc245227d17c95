// Papers of a month as ZIP files: their content, the right to open them, and files that fail while they are sent.
import { text } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { papers } from '#contract/areas/billing/papers.ts'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { papers as operatorPapers } from '#contract/areas/operator/papers.ts'
import { RetryLaterError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import type { ArchivedPaper } from '#server/domain/billing/papers/archives.ts'
import { issuePaper } from '#server/domain/billing/papers/papers.ts'
import { someAddressOfUs } from '#server/testing/billing.ts'
import { eventually } from '#server/testing/eventually.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'
import { paperArchive } from './paper-archive.ts'

let world: World
let payment = 0

beforeAll(async () => {
  world = await testApp({ INVOICE_DETAILS: 'Pay to the account 1' })
})
afterAll(() => world.close())

/** Issues the receipt of a payment. @returns its number */
async function receipt({ projectId: project_id }: Person): Promise<string> {
  const id = ++payment
  const { number } = await transaction(world.app.db, (trx) =>
    issuePaper(trx, world, {
      kind: 'receipt',
      source: `payment ${id}`,
      amountMinor: 1_900,
      payment: { id, project_id, currency: 'usd', type: 'restream', title: 'Pro', period: 'year', provider: 'stripe' },
    }),
  )
  return number
}

const month = () => world.clock.now().toISOString().slice(0, 7)

const archivesOf = async (as: Person, { projectId: project_id } = as) =>
  (await world.api(papers.archives, { project_id }, { as })).body.results

const open = (url: string) => world.app.inject({ url })

/** Reads the files of a ZIP file by its central directory (APPNOTE 4.3.12). */
function filesOf(zip: Buffer): Readonly<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {}
  const end = zip.lastIndexOf('PK\u0005\u0006')
  let at = zip.readUInt32LE(end + 16)
  while (at < end) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(begin, begin + size)
    files[zip.toString('utf8', at + 46, at + 46 + (name ?? 0))] = method === 0 ? bytes : inflateRawSync(bytes)
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}

async function download(url: string) {
  const { statusCode, headers, rawPayload } = await open(url)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/zip'])
  return { name: headers['content-disposition'], files: filesOf(rawPayload) }
}

test('a project has the papers of each month as PDF, with a table', async () => {
  const ann = await world.user()
  expect(await archivesOf(ann)).toEqual([])
  const details = { project_id: ann.projectId, countrie_id: 840, email: 'a@example.com', pay_system_id: 0 }
  const company_name = '=cmd()|"/C calc"!A0'
  await world.api(paySettings.set, { ...details, ...someAddressOfUs, company_name }, { as: ann })
  const [first, before] = [await receipt(ann), month()]
  world.clock.advance(32 * 86_400_000)
  // The session of Ann has ended.
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 2)
  await receipt(bob)
  const numbers = [await receipt(ann), await receipt(ann)]
  const archives = await archivesOf(bob, ann)
  expect(archives).toMatchObject([
    { month: month(), part: 1, parts: 1, papers: 2 },
    { month: before, part: 1, parts: 1, papers: 1 },
  ])
  const { name, files } = await download(archives[0]?.url ?? '')
  expect(name).toBe(`attachment; filename="papers-${ann.projectId}-${month()}.zip"`)
  expect(Object.keys(files)).toEqual(['papers.csv', ...numbers.map((number) => `${number}.pdf`)])
  for (const number of numbers) expect(files[`${number}.pdf`]?.toString('latin1', 0, 5)).toBe('%PDF-')
  const [head, ...rows] = String(files['papers.csv']).trimEnd().split('\r\n')
  expect(head).toMatch(/^\uFEFFnumber,kind,date,/)
  expect(rows.map((row) => row.split(',')[0])).toEqual(numbers)
  // A spreadsheet would run the name as a formula.
  expect(rows[0]).toContain(`"'=cmd()|""/C calc""!A0",US,`)
  expect(Object.keys((await download(archives[1]?.url ?? '')).files)).toEqual(['papers.csv', `${first}.pdf`])
})

test('an operator has the papers of all projects', async () => {
  const operator = await newOperator(world)
  const people = [await world.user('Cid'), await world.user('Dan')]
  const numbers = await Promise.all(people.map((person) => receipt(person)))
  const { results } = (await world.api(operatorPapers.archives, {}, { as: operator })).body
  const { name, files } = await download(results[0]?.url ?? '')
  expect(name).toBe(`attachment; filename="papers-${month()}.zip"`)
  expect(Object.keys(files)).toEqual(expect.arrayContaining(numbers.map((number) => `${number}.pdf`)))
  const rows = String(files['papers.csv'])
  for (const { projectId } of people) expect(rows).toContain(`,${projectId},`)
  await world.app.db.deleteFrom('operators').where('user_id', '=', operator.id).execute()
  expect((await open(results[0]?.url ?? '')).statusCode).toBe(401)
})

test('opens only with its own ticket, for ten minutes, and while its reader is in the project', async () => {
  const [ann, bob] = [await world.user(), await world.user('Bob')]
  for (const person of [ann, bob]) await receipt(person)
  await world.join(bob, ann.projectId, 2)
  const [archive] = (await world.api(papers.archives, { project_id: ann.projectId }, { as: bob })).body.results
  const [other] = await archivesOf(bob)
  const url = archive?.url ?? ''
  const status = async (address: string) => (await open(address)).statusCode
  expect(await status(url)).toBe(200)
  expect(await status(url.split('?')[0] ?? '')).toBe(401)
  expect(await status(`${url.split('?')[0]}?${other?.url.split('?')[1]}`)).toBe(401)
  expect(await status(url.replace('.zip', '-2.zip'))).toBe(401)
  await world.app.db
    .deleteFrom('project_members')
    .where('user_id', '=', bob.id)
    .where('project_id', '=', ann.projectId)
    .execute()
  expect(await status(url)).toBe(401)
  expect(await status(other?.url ?? '')).toBe(200)
  world.clock.advance(600_001)
  expect(await status(other?.url ?? '')).toBe(401)
})

test('a month of many papers has a file for each 2,000', async () => {
  const eve = await world.user('Eve')
  await receipt(eve)
  const { id: _, ...row } = await world.app.db
    .selectFrom('papers')
    .selectAll()
    .where('project_id', '=', eve.projectId)
    .executeTakeFirstOrThrow()
  const more = Array.from({ length: 2_000 }, (__, at) => ({
    ...row,
    series: 'R-many',
    number: at + 1,
    source: `many ${at}`,
    content: row.content.replace(/"number":"[^"]*"/, `"number":"R-many-${at + 1}"`),
  }))
  while (more.length > 0) await world.app.db.insertInto('papers').values(more.splice(0, 500)).execute()
  const archives = await archivesOf(eve)
  expect(archives).toMatchObject([
    { part: 1, parts: 2, papers: 2_000 },
    { part: 2, parts: 2, papers: 1 },
  ])
  const { name, files } = await download(archives[1]?.url ?? '')
  expect(name).toContain(`papers-${eve.projectId}-${month()}-2.zip`)
  expect(Object.keys(files)).toEqual(['papers.csv', 'R-many-2000.pdf'])

  // A file takes minutes, so that four readers are enough.
  const { url } = await world.app.listen()
  const read = () => fetch(`${url}${archives[0]?.url}`)
  const readers = await Promise.all(Array.from({ length: 4 }, read))
  expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const refused = await read()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  for (const { body } of readers) await body?.cancel()
  await eventually(async () => {
    const next = await read()
    await next.body?.cancel()
    return next.status === 200
  })
})

const paper = (number: string): ArchivedPaper => {
  const party = { name: 'Ann', email: '', taxId: '', address: [], country: '' }
  const facts = { kind: 'receipt', date: '2026-11-01T00:00:00.000Z', currency: 'usd', provider: 'stripe' } as const
  return {
    ...facts,
    number,
    projectId: 1,
    seller: party,
    buyer: party,
    items: [],
    totalMinor: 1,
    tax: null,
    corrects: null,
  }
}
const many = (count: number) => Array.from({ length: count }, (_, at) => paper(`R-${at}`))
const always = async () => true

test('a file that cannot be finished fails, and does not end like a whole one', async () => {
  const files = { get: () => Promise.reject(new Error('No PDF')) }
  const archive = await paperArchive(many(2), { files, language: 'en', mayContinue: always })
  await expect(text(archive)).rejects.toThrow('No PDF')
  let rights = 2
  const made = { get: async () => Buffer.from('%PDF-') }
  const ended = await paperArchive(many(200), { files: made, language: 'en', mayContinue: async () => rights-- > 0 })
  await expect(text(ended)).rejects.toThrow('The right to read papers has ended')
})

test('a file that fails before it is read ends nothing else', async () => {
  const files = { get: () => Promise.reject(new Error('No PDF')) }
  const archive = await paperArchive(many(1), { files, language: 'en', mayContinue: always })
  await eventually(() => archive.destroyed)
  expect(archive.errored?.message).toBe('No PDF')
})

test('waits while other papers are made', async () => {
  const answers = [new RetryLaterError(503, 'TooManyPapers', 0.01), Buffer.from('%PDF-')]
  const get = async () => {
    const answer = answers.shift()
    if (!(answer instanceof Buffer)) throw answer
    return answer
  }
  const archive = await paperArchive(many(1), { files: { get }, language: 'en', mayContinue: always })
  expect(await text(archive)).toContain('%PDF-')
})

test('makes no PDF that the reader does not take', async () => {
  let made = 0
  const get = async () => Buffer.alloc(1_000_000, ++made)
  const archive = await paperArchive(many(100), { files: { get }, language: 'en', mayContinue: always })
  for await (const chunk of archive) if (made > 2 && chunk) break
  expect(made).toBeLessThan(6)
  expect(archive.destroyed).toBe(true)
})
