import { expect, test } from 'vitest'
import { groupInfo } from '#contract/core/group.ts'
import { groups } from '#contract/index.ts'
import { notServed } from '#contract/not-served.ts'
import { groupTitle } from './group-title.ts'

test('every group has a title in sentence case', () => {
  const names = [...groups.map((group) => groupInfo(group).title), ...notServed.map(({ title }) => title)]
  const rough = names.map(groupTitle).filter((title) => !/^(RTMP|[A-Z][a-z]+)( [a-z]+)*$/.test(title))
  expect(rough).toEqual([])
})

test.each([
  ['ProjectChannelInvite', 'Project channel invite'],
  ['PlanRestream', 'Restream plan'],
  ['Stream pull keys', 'Stream pull keys'],
])('%s: %s', (name, title) => {
  expect(groupTitle(name)).toBe(title)
})
