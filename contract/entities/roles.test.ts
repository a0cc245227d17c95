import { expect, test } from 'vitest'
import { type AccessType, type ChannelRight, rightCan, rightOfMember, roleCan, roleOf, roles } from './roles.ts'

const needed = ['viewer', 'editor', 'owner'] as const
const numbers = [0, 1, 2] as const

test('a role may do what its capabilities allow, and an unknown role nothing', () => {
  expect(numbers.map((role) => needed.map((one) => roleCan(role, one)))).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ])
  const unknown = 3 as number
  expect(needed.map((one) => roleCan(unknown as AccessType, one))).toEqual([false, false, false])
  expect(needed.map((one) => rightCan(unknown as ChannelRight, one))).toEqual([false, false, false])
})

test('a member may do with a channel what both the role and the right of the project allow', () => {
  for (const role of numbers)
    for (const right of numbers)
      for (const one of needed)
        expect(rightCan(rightOfMember(role, right), one)).toBe(roleCan(role, one) && rightCan(right, one))
})

test('names every role', () => {
  expect(numbers.map(roleOf)).toEqual(roles)
})
