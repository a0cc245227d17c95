// Model test of billing: random commands against the service and Stripe's double, with the invariants after each command.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currencyCommands } from '#server/testing/pay/model-currency.ts'
import { type Command, moneyCommands } from '#server/testing/pay/model-commands.ts'
import { type Faults, Real } from '#server/testing/pay/model.ts'
import { newModel } from '#server/testing/pay/model-state.ts'
import type { Movements } from '#server/testing/pay/model-sales.ts'
import { setPrices, tariffCommands } from '#server/testing/pay/model-tariffs.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { settlement } from './payments/settlement.ts'

/** Transactions of PostgreSQL wait for the disk. */
const usualRuns = process.env['DATABASE_URL'] ? 4 : 20
const numRuns = Number(process.env['MODEL_RUNS'] ?? (process.env['NIGHTLY'] ? 500 : usualRuns))
/** `MODEL_SEED` repeats a run of the night. */
const seed = Number(process.env['MODEL_SEED'] ?? (process.env['NIGHTLY'] ? Date.now() % 2 ** 31 : 20_261_122))
const patience = 3_600_000

let stripe: StripeWorld
beforeAll(async () => {
  stripe = await StripeWorld.start()
})
afterAll(() => stripe.close())

const sequences = fc.commands([...moneyCommands, ...tariffCommands, ...currencyCommands], {
  maxCommands: 50,
  size: 'max',
})
/** No plans run, which would keep the currency. */
const ofProvider = fc.commands([...moneyCommands, ...currencyCommands, ...currencyCommands], {
  maxCommands: 40,
  size: 'max',
})

/** Runs a sequence of commands in a project of its own, and compares the final state. */
async function run(commands: Iterable<Command>, faults: Faults = {}): Promise<'settled'> {
  const real = await Real.start(stripe, faults)
  await setPrices(real, 0)
  const model = newModel()
  await fc.asyncModelRun(() => ({ model, real }), commands)
  await real.checkSettled(model)
  return 'settled'
}

test(
  `billing check 15: keeps the invariants in ${numRuns} sequences, seed ${seed}`,
  async () => {
    const property = fc.asyncProperty(sequences, async (commands) => {
      expect(await run(commands)).toBe('settled')
    })
    await fc.assert(property, { numRuns, seed })
  },
  patience,
)

test(
  `billing check 15: keeps the invariants in ${numRuns} sequences with changes of currency, seed ${seed}`,
  async () => {
    const property = fc.asyncProperty(ofProvider, async (commands) => {
      expect(await run(commands)).toBe('settled')
    })
    await fc.assert(property, { numRuns, seed })
  },
  patience,
)

/** Planted faults show that the model finds them: on one database in `npm test`. */
const findsFaults = !process.env['DATABASE_URL'] || Boolean(process.env['NIGHTLY'])

/** Faulty rules, each of which counts an event twice. */
const planted: Readonly<Record<string, typeof settlement>> = {
  payment: ({ payment, ...rest }, seen) => settlement({ ...rest, payment: { ...payment, credited_minor: 0 } }, seen),
  refund: (booked, seen) => settlement({ ...booked, refunds: [] }, seen),
  dispute: (booked, seen) => settlement({ ...booked, disputes: [] }, seen),
}

test.runIf(findsFaults).each(Object.entries(planted))(
  'billing check 15: finds a settlement that counts a %s twice',
  async (_name, rules) => {
    const property = fc.asyncProperty(ofProvider, async (commands) => void (await run(commands, { rules })))
    const { failed, errorInstance } = await fc.check(property, { numRuns: 200, seed, endOnFailure: true })
    expect(failed).toBe(true)
    // A payment that is credited again is refused by its ledger key, which the log has as an error.
    expect(String(errorInstance)).toMatch(/I[345]: |could not be settled/)
  },
  patience,
)

const isBuy = (type: string) => type.endsWith('_buy')

/** Movements that a faulty ledger books twice, and the invariant that is broken then. */
const bookedTwice: Readonly<Record<string, readonly [RegExp, Movements]>> = {
  purchase: [/I9/, ({ type, payment_id }) => isBuy(type) && payment_id === null],
  'payment for a plan': [/I9/, ({ type, payment_id }) => isBuy(type) && payment_id !== null],
  renewal: [/I9/, ({ idempotency_key }) => idempotency_key?.startsWith('buy:renewal ') === true],
  'cancelled plan': [/I9/, ({ type }) => type === 'refund'],
  'promo code': [/I12/, ({ type }) => type === 'promo_topup_1'],
  payout: [/I2/, ({ type }) => type === 'payout'],
  'refused payout': [/I2/, ({ type }) => type === 'payout_cancel'],
}

const ofProject = fc.commands([...tariffCommands], { maxCommands: 40, size: 'max' })

/** Found within a few sequences; the others run at night. */
const quick: ReadonlySet<string> = new Set(['purchase', 'promo code'])
const tried = Object.entries(bookedTwice).filter(([name]) => process.env['NIGHTLY'] || quick.has(name))

test.runIf(findsFaults).each(tried)(
  'billing check 15: finds a ledger that books a %s twice',
  async (_name, [rule, twice]) => {
    const property = fc.asyncProperty(ofProject, async (commands) => void (await run(commands, { twice })))
    const { failed, errorInstance } = await fc.check(property, { numRuns: 200, seed, endOnFailure: true })
    expect(failed).toBe(true)
    expect(String(errorInstance)).toMatch(rule)
  },
  patience,
)
