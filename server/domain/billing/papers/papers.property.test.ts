// Papers under any sequence of transactions, also failed and concurrent ones (invariant I13).
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '#server/db/transaction.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { fundedProject, tariffWorld, type TariffWorld } from '#server/testing/tariffs.ts'
import { paperKinds } from './paper.ts'
import { issuePaper, paperOf, type PaperRequest } from './papers.ts'
import { listPapers } from './store.ts'

let world: TariffWorld
let projects: number[]
let seq = 0

beforeAll(async () => {
  world = await tariffWorld('2026-12-31T20:00:00.000Z')
  projects = await Promise.all([1, 2].map(() => fundedProject(world, 'usd', emptyBalance)))
})
afterAll(() => world.close())

const paymentOf = (id: number, project_id: number): PaperRequest['payment'] => ({
  id,
  project_id,
  currency: 'usd',
  type: 'restream',
  title: 'Pro',
  period: 'month',
  provider: 'stripe',
})

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(paperKinds) as (keyof typeof paperKinds)[])),
    project: fc.constantFrom(0, 1),
    payment: fc.integer({ min: 1, max: 4 }),
    amountMinor: fc.integer({ min: 1, max: 100_000 }),
    fails: fc.boolean(),
    hours: fc.constantFrom(0, 0, 3),
  }),
  { maxLength: 12 },
)

const allPapers = () => world.db.selectFrom('papers').selectAll().orderBy('id').execute()

test('numbers have no gap and no double in their series, and a paper never changes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const run = ++seq
      const before = await allPapers()
      await Promise.all(
        drawn.map(async ({ kind, project, payment, amountMinor, fails, hours }) => {
          world.clock.advance(hours * 3_600_000)
          const request = {
            kind,
            source: `${run} ${kind} ${payment}`,
            payment: paymentOf(payment, projects[project] ?? 0),
            amountMinor,
          }
          await transaction(world.db, async (trx) => {
            await issuePaper(trx, world, request)
            if (fails) throw new Error('undone')
          }).catch((error: unknown) => {
            // Two transactions for one event at the same time: one of them fails on the unique source.
            if (!/undone|unique/i.test(String(error))) throw error
          })
        }),
      )
      const after = await allPapers()
      expect(after.slice(0, before.length)).toEqual(before)
      for (const series of new Set(after.map((row) => row.series))) {
        const numbers = after.filter((row) => row.series === series).map(({ number }) => number)
        expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1))
      }
    }),
    { numRuns: 30 },
  )
})

test('an event has one paper after any number of calls', async () => {
  const [projectId = 0] = projects
  const request = { kind: 'receipt', source: 'once', payment: paymentOf(900, projectId), amountMinor: 500 } as const
  const issue = () => transaction(world.db, (trx) => issuePaper(trx, world, request))
  expect(await issue()).toEqual(await issue())
  expect(await listPapers(world.db, projectId, 900)).toHaveLength(1)
})

test('a credit note names the receipt that it corrects', async () => {
  const [projectId = 0] = projects
  const payment = paymentOf(901, projectId)
  const issue = (kind: PaperRequest['kind']) =>
    transaction(world.db, (trx) =>
      issuePaper(trx, world, { kind, source: `corrected ${kind}`, payment, amountMinor: 500 }),
    )
  const { number } = await issue('receipt')
  await issue('credit_note')
  const papers = (await listPapers(world.db, projectId, 901)).map(paperOf)
  expect(papers.map(({ corrects }) => corrects)).toEqual([null, number])
})

test('the tax of the country of the buyer is frozen with the paper', async () => {
  const [, projectId = 0] = projects
  await world.db.insertInto('tax_rates').values({ country_id: 276, percent_hundredths: 1900, label: 'USt' }).execute()
  const details = { project_id: projectId, country_id: 276, pay_system_id: 0, email: 'a@example.com', date_change: '' }
  await world.db.insertInto('billing_profiles').values(details).execute()
  const payment = paymentOf(902, projectId)
  await transaction(world.db, (trx) =>
    issuePaper(trx, world, { kind: 'receipt', source: 'taxed', payment, amountMinor: 11_900 }),
  )
  await world.db.updateTable('tax_rates').set({ percent_hundredths: 2100 }).execute()
  const [paper] = (await listPapers(world.db, projectId, 902)).map(paperOf)
  expect(paper).toMatchObject({
    tax: { label: 'USt', percentHundredths: 1900, amountMinor: 1900 },
    buyer: { name: 'Test', email: 'a@example.com', country: 'DE' },
  })
})
