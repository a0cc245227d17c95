// Commands of the model of billing for money that comes and goes beside payments: promo codes, the earned balance, payouts.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { payouts as operatorPayouts } from '#contract/areas/operator/payouts.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import { newPromo, newWay } from '#server/testing/promos.ts'
import { topUp } from '#server/testing/tariffs.ts'
import { type Command, command } from './model-commands.ts'

/** A code of one use, used as often as given at the same time. */
const usePromo = (times: number, isUsedUp: boolean) =>
  command(`promo code, ${times} at once${isUsedUp ? ', used up' : ''}`, async (model, real) => {
    const { world, ann } = real.stripe
    const code = `M${randomUUID().replaceAll('-', '').toUpperCase()}`
    await newPromo(real.db, code, { uses_max: isUsedUp ? 0 : 1 })
    const use = () => world.api(promo.apply, { ...real.project, code }, { as: ann })
    const answers = await Promise.all(Array.from({ length: times }, use))
    const used = answers.filter(({ status }) => status < 300).length
    if (used > (isUsedUp ? 0 : 1)) throw new Error(`I12: a code of one use was used ${used} times`)
    model.promos[await getCurrency(real.db, real.projectId)] += 500 * used
  })

const earn = (amount: number) =>
  command(`earn ${amount}`, async (_model, { db, projectId, stripe: { world } }) => {
    await topUp({ db, clock: world.clock }, projectId, { ...emptyBalance, profit: amount })
  })

const requestPayout = (amount: number, times: number) =>
  command(`payout of ${amount}, ${times} at once`, async (model, real) => {
    const { world, ann } = real.stripe
    real.way ??= await newWay(real.db)
    const { profit } = await getBalance(real.db, real.projectId)
    const input = {
      payout_system_account_id: real.way,
      amount,
      wallet_value: 'DE00 1234',
      idempotency_key: randomUUID(),
    }
    const request = () => world.api(payouts.create, { ...real.project, ...input }, { as: ann })
    const answers = await Promise.all(Array.from({ length: times }, request))
    if (!answers.some(({ status }) => status < 300)) return
    if (amount > profit) throw new Error(`I2: a payout of ${amount} from ${profit}`)
    model.payouts.usd += amount
  })

const endPayout = (at: number, how: 'sent' | 'refuse' | 'cancel') =>
  command(`payout ${at}: ${how}`, async (model, real) => {
    const { world, ann } = real.stripe
    const { results } = (await world.api(payouts.list, { ...real.project, limit: 50, offset: 0 }, { as: ann })).body
    const one = results[at % Math.max(1, results.length)]
    if (!one) return
    const { payout_id } = one
    const reason = 'Model'
    const end = () =>
      how === 'cancel'
        ? world.api(payouts.cancel, { ...real.project, payout_id }, { as: ann })
        : how === 'sent'
          ? world.api(operatorPayouts.sent, { payout_id, reference: 'R1', reason }, { as: ann })
          : world.api(operatorPayouts.refuse, { payout_id, reason }, { as: ann })
    const answers = await Promise.all([end(), end()])
    const ended = answers.filter(({ status }) => status < 300).length
    if (ended !== (one.status === 'waiting' ? 1 : 0)) throw new Error(`I4: payout ${payout_id} ended ${ended} times`)
    if (how !== 'sent') model.payouts.usd -= one.amount * ended
  })

const once = fc.constantFrom(1, 1, 2)

/** Arbitraries of the commands. */
export const payoutCommands: readonly fc.Arbitrary<Command>[] = [
  fc.tuple(once, fc.boolean()).map(([times, isUsedUp]) => usePromo(times, isUsedUp)),
  fc.constantFrom(1_500, 8_000).map(earn),
  fc.tuple(fc.constantFrom(1_000, 5_000), once).map(([amount, times]) => requestPayout(amount, times)),
  fc.tuple(fc.nat({ max: 4 }), fc.constantFrom('sent', 'refuse', 'cancel')).map(([at, how]) => endPayout(at, how)),
]
