// Counts of the last line of `npm test`: every kind of failure has to appear in it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeUnhandled } from './unhandled.ts'
import { add, line, nothing, ofExitCode, ofPlaywright, ofReport, ofUnhandled, ofVitest } from './tally.ts'

const folder = mkdtempSync(join(tmpdir(), 'relaydeck-tally-'))
afterAll(() => rmSync(folder, { recursive: true }))

const report = (content: unknown): string => {
  const file = join(folder, `${Math.random()}.json`)
  writeFileSync(file, JSON.stringify(content))
  return file
}
const file = (status: string, ...statuses: string[]) => ({
  name: 'some.test.ts',
  status,
  assertionResults: statuses.map((each, index) => ({ status: each, fullName: `test ${index}` })),
})
const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 1 }

test('counts every test of every file', () => {
  const tally = ofVitest({
    testResults: [file('passed', 'passed', 'passed', 'todo'), file('failed', 'failed', 'skipped')],
  })
  expect(tally).toEqual({ passed: 2, failed: 1, skipped: 2, failures: ['some.test.ts: test 0'] })
})

test('counts a file that does not load as a failure', () => {
  expect(ofVitest({ testResults: [file('failed')] })).toMatchObject({ failed: 1, failures: ['some.test.ts'] })
})

test('names errors outside of tests', () => {
  const error = {
    name: 'Error',
    message: 'read ECONNRESET',
    stack: `Error: read ECONNRESET\n    at onRead (${process.cwd()}/server/core/http.ts:12:3)`,
    VITEST_TEST_PATH: `${process.cwd()}/server/core/http.test.ts`,
    VITEST_TEST_NAME: 'closes',
  }
  const [failure] = ofUnhandled(report([describeUnhandled(error)])).failures
  expect(failure).toBe(
    'unhandled error in server/core/http.test.ts (during "closes"): Error: read ECONNRESET | at onRead (server/core/http.ts:12:3)',
  )
  expect(ofUnhandled(join(folder, 'absent.json'))).toEqual(nothing)
})

test('counts a flaky test and an error outside the tests as failures', () => {
  const specs = [
    { file: 'a.spec.ts', title: 'flaky', ok: false },
    { file: 'a.spec.ts', title: 'steady', ok: true },
  ]
  expect(
    ofPlaywright({ stats: { ...stats, flaky: 1 }, errors: [{}], suites: [{ specs: [], suites: [{ specs }] }] }),
  ).toEqual({ passed: 3, failed: 2, skipped: 1, failures: ['a.spec.ts: flaky'] })
})

test('counts a runner without tests or without a report as failed', () => {
  expect(ofReport(report({ testResults: [] }), 0, ofVitest).failed).toBe(1)
  expect(ofReport(join(folder, 'absent.json'), 0, ofVitest).failed).toBe(1)
})

test('counts a bad exit code as a failure, even if every test passed', () => {
  const all = report({ stats, errors: [], suites: [] })
  expect(ofReport(all, 1, ofPlaywright).failed).toBe(1)
  expect(ofReport(all, 0, ofPlaywright).failed).toBe(0)
})

test('prints passed and failed, and skipped only if there are any', () => {
  expect(line(add(ofExitCode(0), ofExitCode(1)))).toBe('1 passed, 1 failed')
  expect(line({ ...nothing, skipped: 2 })).toBe('0 passed, 0 failed, 2 skipped')
})
