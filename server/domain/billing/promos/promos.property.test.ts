// Promo codes under any order of concurrent uses (invariant I12). Runs on both databases.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#server/core/errors.ts'
import type { Call } from '#server/core/context.ts'
import { noLimits } from '#server/core/limits.ts'
import { newPromo } from '#server/testing/promos.ts'
import { brokenRules, fundedProject } from '#server/testing/tariffs.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { applyPromo } from './promos.ts'

let world: World
let seq = 0
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const nothing = { bonus: 0, payment: 0, profit: 0 }

test('I12: a code is used at most once a project, and at most its maximum', async () => {
  const { services, clock } = world
  const { db } = services
  const call = { ...services, limits: noLimits, address: '192.0.2.1' } as unknown as Call
  const { id: userId } = await world.user()
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 4 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }),
      async (usesMax, tries) => {
        const code = `CODE${++seq}`
        const { id } = await newPromo(db, code, { uses_max: usesMax })
        const made: number[] = []
        for (let at = 0; at < 4; at++) made.push(await fundedProject({ db, clock }, 'usd', nothing))
        const used = await Promise.all(
          tries.map(async (at) => {
            try {
              return await applyPromo(call, { projectId: made[at] ?? 0, userId, code })
            } catch (error) {
              if (error instanceof AppError) return null
              throw error
            }
          }),
        )
        const wanted = Math.min(usesMax, new Set(tries).size)
        expect(used.filter(Boolean)).toHaveLength(wanted)
        const row = await db.selectFrom('promo_codes').select('uses').where('id', '=', id).executeTakeFirstOrThrow()
        expect(row.uses).toBe(wanted)
        for (const projectId of made) expect(await brokenRules({ db, clock }, projectId)).toEqual([])
      },
    ),
    { numRuns: 25, seed: 20_261_122 },
  )
}, 120_000)
