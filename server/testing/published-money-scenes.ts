// Scenes of promo codes and payouts.
import { payouts } from '#contract/areas/billing/payouts.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { newPromo, newWay } from './promos.ts'
import { scene, type Scene } from './published-calls.ts'
import { topUp } from './tariffs.ts'

/** A promo code, and a payout. */
const promosAndPayouts = scene(
  [promo.check, promo.apply, payouts.prepare, payouts.create],
  async ({ calls, world }) => {
    const ann = await world.user()
    const { db } = world.services
    const { clock } = world
    const of = { project_id: ann.projectId }
    await newPromo(db, 'SCENE')
    await calls.call(world, promo.check, { ...of, code: 'scene' }, { as: ann })
    await calls.call(world, promo.apply, { ...of, code: 'scene' }, { as: ann })
    await newPromo(db, 'SCENE-PLAN', { type: 'restream', plan: JSON.stringify({ planId: 2, period: 'month' }) })
    await calls.call(world, promo.check, { ...of, code: 'scene-plan' }, { as: ann })
    await calls.call(world, promo.apply, { ...of, code: 'scene-plan' }, { as: ann })
    const way = await newWay(db)
    await topUp({ db, clock }, ann.projectId, { bonus: 0, payment: 0, profit: 5000 })
    await calls.call(world, payouts.prepare, of, { as: ann })
    const request = { ...of, payout_system_account_id: way, amount: 1000, wallet_value: '4000 0000 0000 0002' }
    await calls.call(world, payouts.create, request, { as: ann })
  },
)

export const moneyScenes: readonly Scene[] = [promosAndPayouts]
