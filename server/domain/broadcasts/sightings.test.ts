// What a platform shows: the rule.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { doubtsEveryMs, viewersEveryMs } from './live-viewers.ts'
import { isAskedSoon, type Seen, sight, type Sight } from './sightings.ts'

type Answer = Sight['onAir']

/** Answers of a platform each 20 s from the first live state on. @returns the states */
function states(type: string, answers: readonly Answer[], everyMs = 20_000) {
  let seen: Seen | null = null
  return answers.map((onAir, index) => {
    seen = sight(seen, { onAir }, { type, liveAt: 0, now: (index + 1) * everyMs })
    return seen?.state ?? 'unknown'
  })
}

test.each<[string, readonly Answer[], readonly string[]]>([
  ['youtube', [false, false, false], ['unknown', 'unknown', 'not_seen']],
  ['twitch', [false, false, false, false, false, false], [...Array<string>(5).fill('unknown'), 'not_seen']],
  ['youtube', [false, false, false, true], ['unknown', 'unknown', 'not_seen', 'seen']],
  ['twitch', [true, false, false, true], ['seen', 'seen', 'ended_there', 'seen']],
  ['twitch', [null, null, null, null, null, null, null], Array<string>(7).fill('unknown')],
])('of %s with the answers %j is %j', (type, answers, expected) => expect(states(type, answers)).toEqual(expected))

test('one answer decides nothing, and a missing answer keeps the state for five minutes', () => {
  expect(states('twitch', [true, false, true, false, true])).toEqual(Array<string>(5).fill('seen'))
  expect(states('twitch', [true, null, null, null, null, null, null], 60_000)).toEqual([
    ...Array<string>(6).fill('seen'),
    'unknown',
  ])
})

test('never says that a platform is dark without two answers in a row, and never of unknown answers', () => {
  const answer = fc.constantFrom<Answer>(true, false, null)
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 60 }), (answers) => {
      for (const [index, state] of states('youtube', answers).entries()) {
        if (state !== 'not_seen' && state !== 'ended_there') continue
        const known = answers.slice(0, index + 1).filter((one) => one !== null)
        expect(known.slice(-2)).toEqual([false, false])
      }
    }),
  )
})

/**
 * Requests of a channel that went live at 0, with the counts of viewers and the requests between them.
 * @param phases times of the first of each, milliseconds
 * @param answerAt answer of the platform at a time
 * @returns the times of the requests, and the time of `not_seen`, milliseconds
 */
function requests(
  type: string,
  { counts, doubts }: { readonly counts: number; readonly doubts: number },
  answerAt: (now: number) => Answer,
  untilMs = 200_000,
) {
  const times: number[] = []
  let seen: Seen | null = null
  for (let now = 0; now <= untilMs; now += 500) {
    const isCount = now % viewersEveryMs === counts
    const isSoon = now % doubtsEveryMs === doubts && isAskedSoon(seen, { type, liveAt: 0, now })
    if (!isCount && !isSoon) continue
    times.push(now)
    seen = sight(seen, { onAir: answerAt(now) }, { type, liveAt: 0, now })
    if (seen?.state === 'not_seen') return { times, darkAt: now }
  }
  return { times, darkAt: null }
}
const phase = fc.record({
  counts: fc.integer({ min: 0, max: 119 }).map((step) => step * 500),
  doubts: fc.integer({ min: 0, max: 19 }).map((step) => step * 500),
})

test.each([
  ['youtube', 75_000],
  ['vk', 75_000],
  ['twitch', 135_000],
])('says of a dark channel at %s so within %i ms, however its requests fall', (type, withinMs) => {
  fc.assert(
    fc.property(phase, (phases) => {
      const { darkAt } = requests(type, phases, () => false)
      expect(darkAt).not.toBeNull()
      expect(darkAt).toBeLessThanOrEqual(withinMs)
    }),
  )
})

test('a channel that is shown at once, and one whose platform never answers, cost few requests', () => {
  fc.assert(
    fc.property(phase, (phases) => {
      expect(requests('youtube', phases, () => true, 59_000).times.length).toBeLessThanOrEqual(2)
      expect(requests('youtube', phases, () => null, 600_000).times.length).toBeLessThanOrEqual(10 + 1 + 3)
    }),
  )
})

test('an hour in which each tenth answer is missing makes no false notice', () => {
  fc.assert(
    fc.property(phase, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (phases, dice) => {
      const { darkAt } = requests('youtube', phases, () => (dice.next().value === 0 ? null : true), 3_600_000)
      expect(darkAt).toBeNull()
    }),
    { numRuns: 20 },
  )
})

test('keeps the words of the platform until it shows the broadcast', () => {
  const at = (now: number) => ({ type: 'youtube', liveAt: 0, now })
  const first = sight(null, { onAir: false }, at(30_000))
  const second = sight(first, { onAir: false, words: 'The bitrate is low.' }, at(50_000))
  const third = sight(second, { onAir: false }, at(70_000))
  expect(third).toMatchObject({ state: 'not_seen', words: 'The bitrate is low.' })
  expect(sight(third, { onAir: true }, at(90_000))).not.toHaveProperty('words')
})

test('a broadcast that its platform calls over has ended there, also when it was never seen', () => {
  const at = (now: number) => ({ type: 'vk', liveAt: 0, now })
  const first = sight(null, { onAir: false, ended: true }, at(20_000))
  expect(sight(first, { onAir: false, ended: true }, at(40_000))?.state).toBe('ended_there')
})
