import { expect, test } from 'vitest'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { operationsOf } from '#contract/core/group.ts'
import { operations } from '#contract/index.ts'
import { notServed } from '#contract/not-served.ts'
import { anchorOf, referenceGroup, referenceGroups, routeOf, totals } from './catalogue.ts'
import { parameterOf } from './published.ts'
import { search } from './reference-page.tsx'

test('lists every operation of the API in exactly one group', () => {
  const routes = referenceGroups.flatMap(({ served, waiting }) => [
    ...served.map(routeOf),
    ...waiting.map(({ route }) => route),
  ])
  const waiting = notServed.flatMap((group) => group.operations.map(([route]) => route))
  expect(routes.toSorted()).toEqual([...operations.map(routeOf), ...waiting].toSorted())
  expect(totals.all).toBe(routes.length)
  expect(totals.served).toBe(operations.length)
  expect(new Set(referenceGroups.map(({ id }) => id)).size).toBe(totals.groups)
})

test('gives every operation of a group a unique anchor', () => {
  for (const { served, waiting } of referenceGroups) {
    const anchors = [...served.map(routeOf), ...waiting.map(({ route }) => route)].map(anchorOf)
    expect(new Set(anchors).size).toBe(anchors.length)
  }
})

test('shows served and waiting operations of a partly served group', () => {
  expect(referenceGroups.some(({ served, waiting }) => served.length > 0 && waiting.length > 0)).toBe(true)
  expect(referenceGroup('tariffs.restream')?.served).toEqual(operationsOf(restream))
  expect(referenceGroup('tariffs.restream')?.waiting).toEqual([])
  expect(referenceGroup('tariffs.nothing')).toBeUndefined()
})

test('finds groups by name and operations by path', () => {
  expect(search(referenceGroups, '')).toHaveLength(totals.groups)
  expect(search(referenceGroups, 'Stream KEY').map(({ group }) => group.id)).toContain('ingest.stream-keys')
  const [match] = search(referenceGroups, 'refresh-access')
  expect(match?.group.id).toBe('account.auth')
  expect(match?.operations).toEqual([{ route: 'POST auth/refresh-access', name: 'Update access token' }])
  expect(search(referenceGroups, 'no such thing')).toEqual([])
})

test('reads required flags and allowed values of published parameters', () => {
  expect(parameterOf('code')).toEqual({ name: 'code', isRequired: true, choice: [] })
  expect(parameterOf('app?=site|admin')).toEqual({ name: 'app', isRequired: false, choice: ['site', 'admin'] })
})
