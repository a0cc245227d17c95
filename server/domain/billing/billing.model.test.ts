// Model test of billing: random commands against the service and Stripe's double, with the invariants after each command.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Command, moneyCommands } from '#server/testing/pay/model-commands.ts'
import { type Model, Real } from '#server/testing/pay/model.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { settlement } from './settlement.ts'

/** Transactions of PostgreSQL wait for the disk. */
const usualRuns = process.env['DATABASE_URL'] ? 6 : 60
const numRuns = Number(process.env['MODEL_RUNS'] ?? (process.env['NIGHTLY'] ? 500 : usualRuns))
/** `MODEL_SEED` repeats a run of the night. */
const seed = Number(process.env['MODEL_SEED'] ?? (process.env['NIGHTLY'] ? Date.now() % 2 ** 31 : 20_261_122))
const patience = 1_200_000

let stripe: StripeWorld
beforeAll(async () => {
  stripe = await StripeWorld.start()
})
afterAll(() => stripe.close())

const sequences = fc.commands([...moneyCommands], { maxCommands: 40, size: 'max' })

/** Runs a sequence of commands in a project of its own, and compares the final state. */
async function run(commands: Iterable<Command>, rules?: typeof settlement): Promise<'settled'> {
  const real = await Real.start(stripe, rules)
  const model: Model = { payments: [] }
  await fc.asyncModelRun(() => ({ model, real }), commands)
  await real.checkSettled(model)
  return 'settled'
}

test(
  `keeps the invariants in ${numRuns} sequences, seed ${seed}`,
  async () => {
    const property = fc.asyncProperty(sequences, async (commands) => {
      expect(await run(commands)).toBe('settled')
    })
    await fc.assert(property, { numRuns, seed })
  },
  patience,
)

/** Faulty rules, each of which counts an event twice. */
const planted: Readonly<Record<string, typeof settlement>> = {
  payment: ({ payment, ...rest }, seen) => settlement({ ...rest, payment: { ...payment, credited_minor: 0 } }, seen),
  refund: (booked, seen) => settlement({ ...booked, refunds: [] }, seen),
  dispute: (booked, seen) => settlement({ ...booked, disputes: [] }, seen),
}

test.each(Object.entries(planted))(
  'finds a settlement that counts a %s twice',
  async (_name, rules) => {
    const property = fc.asyncProperty(sequences, async (commands) => void (await run(commands, rules)))
    const { failed, errorInstance } = await fc.check(property, { numRuns: 200, seed, endOnFailure: true })
    expect(failed).toBe(true)
    // A payment that is credited again is refused by its ledger key, which the log has as an error.
    expect(String(errorInstance)).toMatch(/I[345]: |could not be settled/)
  },
  patience,
)
