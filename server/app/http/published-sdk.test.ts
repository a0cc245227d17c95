// The makers' client libraries (streamvi-sdk, streamvi-sdk-fetch) against this service: every call of the 157 published operations, by
// a description of these calls, with an API token in each published header. The packages are not in the registry of npm.
import { beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/index.ts'
import { exceptionOf } from '#contract/published-answers.ts'
import { routeOf, sdkHeaders, sdkRoutes } from '#server/testing/sdk.ts'
import { callEverything } from '#server/testing/published-stage.ts'
import { SdkCalls } from '#server/testing/sdk-calls.ts'

const calls = new SdkCalls()

beforeAll(() => callEverything(calls))

const opOf = (route: string) => {
  const op = operations.find((one) => routeOf(one) === route)
  if (!op) throw new Error(`There is no ${route}`)
  return op
}

test('the description has the 157 operations, and each was called', () => {
  expect(sdkRoutes).toHaveLength(157)
  expect(sdkRoutes.filter((route) => !calls.wasCalled(opOf(route)))).toEqual([])
})

test.each(sdkRoutes)('%s answers a client library as published', (route) => {
  const op = opOf(route)
  expect(calls.deviationsOf(op).filter((one) => exceptionOf(op, one) === undefined)).toEqual([])
  const received = calls.received.get(route) ?? []
  // A sign-in is no business of a program; all else succeeds.
  const refused = op.scope === 'session' ? [403, 'Forbidden'] : null
  for (const { style, status, name } of received)
    expect([style, status, name]).toEqual(refused ? [style, ...refused] : [style, op.status, ''])
})

test('reads accept the token in each published header', () => {
  const styles = Object.keys(sdkHeaders)
  const reads = sdkRoutes.filter((route) => opOf(route).kind === 'read' && calls.received.has(route))
  expect(reads.length).toBeGreaterThan(60)
  for (const route of reads)
    expect([route, new Set(calls.received.get(route)?.map(({ style }) => style))]).toEqual([route, new Set(styles)])
})
