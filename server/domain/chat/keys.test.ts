// Guessing of chat keys.
import { expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { testApp } from '#server/testing/test-app.ts'

test('limits wrong keys by network', async () => {
  const world = await testApp({ RATE_LIMITS: 'on' })
  try {
    const guess = async (address: string) => {
      const { status } = await world.api(broadcasts.longpoll, { key: 'wrong', wait: 0 }, { address })
      return status
    }
    const statuses = []
    for (let n = 1; n <= 31; n++) statuses.push(await guess(`2001:db8::${n.toString(16)}`))
    expect(statuses).toEqual([...Array<number>(30).fill(400), 429])
    expect(await guess('2001:db8:0:1::1')).toBe(400)
  } finally {
    await world.close()
  }
})
