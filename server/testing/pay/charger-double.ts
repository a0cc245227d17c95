// Double of the charges of renewals: a saved method that succeeds, declines, waits, or loses its answer.
import type { Charge, Charger } from '#server/domain/billing/renewals/renewals.ts'
import { topUp, type TariffWorld } from '#server/testing/tariffs.ts'

/** Behaviour of the next new charge. `lost`: it succeeds, and the first answer is an error. */
export type Mood = 'ok' | 'declined' | 'final' | 'wait' | 'lost' | 'none'

/** A charge as the double keeps it. */
export interface DoubleCharge {
  readonly key: string
  readonly projectId: number
  readonly amountMinor: number
  /** Time of the charge. */
  readonly at: string
  answer: Charge
}

/** Charges of a test. */
export interface ChargerDouble {
  readonly charge: Charger
  /** Behaviours of new charges in turn; then `ok`. */
  readonly moods: Mood[]
  readonly charges: DoubleCharge[]
  /** The provider decides a waiting charge. */
  readonly decide: () => Promise<void>
}

/** Creates a double whose successful charges enter the paid-in balance. */
export function chargerDouble(world: Pick<TariffWorld, 'db' | 'clock'>): ChargerDouble {
  const pay = ({ projectId, amountMinor }: DoubleCharge) =>
    topUp(world, projectId, { bonus: 0, payment: amountMinor, profit: 0 })
  const double: ChargerDouble = {
    moods: [],
    charges: [],
    async charge({ projectId, amountMinor, key }) {
      const known = double.charges.find((one) => one.key === key)
      if (known) return known.answer
      const mood = double.moods.shift() ?? 'ok'
      if (mood === 'none') return { outcome: 'none' }
      const paymentId = double.charges.length + 1
      const answers: Record<Exclude<Mood, 'none'>, Charge> = {
        ok: { outcome: 'done', paymentId },
        lost: { outcome: 'done', paymentId },
        wait: { outcome: 'wait', paymentId },
        declined: { outcome: 'declined', paymentId, reason: 'insufficient_funds', final: false },
        final: { outcome: 'declined', paymentId, reason: 'card_expired', final: true },
      }
      const at = world.clock.now().toISOString()
      const made: DoubleCharge = { key, projectId, amountMinor, at, answer: answers[mood] }
      double.charges.push(made)
      if (made.answer.outcome === 'done') await pay(made)
      if (mood === 'lost') throw new Error('The answer was lost')
      return made.answer
    },
    async decide() {
      for (const [index, made] of double.charges.entries()) {
        if (made.answer.outcome !== 'wait') continue
        made.answer = { outcome: 'done', paymentId: index + 1 }
        await pay(made)
      }
    },
  }
  return double
}
