// The table of rules, for every possible change of a role.
import { expect, test } from 'vitest'
import type { AccessType } from '#contract/entities/roles.ts'
import { mustBeAllowed } from './team-rules.ts'

const levels: readonly (AccessType | null)[] = [null, 0, 1, 2]

function refusalOf(type: 0 | 1, owners: number, from: AccessType | null, to: AccessType | null): string | null {
  try {
    mustBeAllowed({ type, owners, from, to })
    return null
  } catch (error) {
    return (error as Error).name
  }
}

test.each([1, 2, 3])('a team project with %i owners keeps one', (owners) => {
  for (const from of levels) {
    for (const to of levels) {
      const left = owners - (from === 2 ? 1 : 0) + (to === 2 ? 1 : 0)
      expect(refusalOf(1, owners, from, to)).toBe(left < 1 ? 'LastOwner' : null)
    }
  }
})

test('a personal project keeps its one owner, and other members may be added and removed', () => {
  for (const from of levels) {
    for (const to of levels) {
      const moved = (from === 2) !== (to === 2)
      expect(refusalOf(0, 1, from, to)).toBe(moved ? 'PersonalProject' : null)
    }
  }
})
