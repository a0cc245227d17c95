// What a platform shows: the rule.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInDoubt, type Seen, sight, type Sight } from './sightings.ts'

/** Answers of a platform each 20 s from the first live state on. @returns the states */
function states(type: string, answers: readonly Sight[], everyMs = 20_000) {
  let seen: Seen | null = null
  return answers.map((answer, index) => {
    seen = sight(seen, answer, { type, liveAt: 0, now: (index + 1) * everyMs })
    return seen?.state ?? 'unknown'
  })
}

test.each<[string, readonly Sight[], readonly string[]]>([
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
  const answer = fc.constantFrom<Sight>(true, false, null)
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

test('is in doubt between the first answer and the second', () => {
  const first = sight(null, false, { type: 'youtube', liveAt: 0, now: 70_000 })
  expect(isInDoubt(first)).toBe(true)
  expect(isInDoubt(sight(first, false, { type: 'youtube', liveAt: 0, now: 90_000 }))).toBe(false)
  expect(isInDoubt(null)).toBe(false)
})
