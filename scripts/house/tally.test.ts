// Counts of the last line of `npm test`: every kind of failure has to appear in it.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { bin } from './step.ts'
import { describeUnhandled, readSupplement, supplementFile } from './supplement.ts'
import {
  add,
  judged,
  line,
  nothing,
  ofExitCode,
  ofPlaywright,
  ofReport,
  ofSupplement,
  ofVitest,
  type VitestReport,
} from './tally.ts'

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
  expect(tally).toEqual({ ...nothing, passed: 2, failed: 1, skipped: 2, failures: ['some.test.ts: test 0'] })
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
  const written = report({ unhandled: [describeUnhandled(error)], flaky: [] })
  const [failure] = ofSupplement(readSupplement(written)).failures
  expect(failure).toBe(
    'unhandled error in server/core/http.test.ts (during "closes"): Error: read ECONNRESET | at onRead (server/core/http.ts:12:3)',
  )
  expect(ofSupplement(readSupplement(join(folder, 'absent.json')))).toEqual(nothing)
})

test('counts a flaky browser test as passed and names it with its first error', () => {
  const attempts = (status: string, ...messages: string[]) => [
    { status, results: [...messages.map((message) => ({ error: { message } })), {}] },
  ]
  const specs = [
    { file: 'a.spec.ts', title: 'red', ok: false, tests: attempts('unexpected', 'no', 'no') },
    { file: 'a.spec.ts', title: 'shaky', ok: true, tests: attempts('flaky', '\u001B[31mtoo late\u001B[0m\nCall log') },
    { file: 'a.spec.ts', title: 'steady', ok: true, tests: attempts('expected') },
  ]
  expect(
    ofPlaywright({
      stats: { ...stats, flaky: 1, unexpected: 1 },
      errors: [{}],
      suites: [{ specs: [], suites: [{ specs }] }],
    }),
  ).toEqual({ passed: 4, failed: 2, skipped: 1, failures: ['a.spec.ts: red'], flaky: ['a.spec.ts: shaky: too late'] })
})

test('fails a run with more flaky tests than three', () => {
  const flaky = ['a: one', 'a: two', 'b: three']
  const run = { ...nothing, passed: 9 }
  expect(judged({ ...run, flaky })).toMatchObject({ passed: 9, failed: 0 })
  expect(judged({ ...run, flaky: [...flaky, 'c: four'] })).toMatchObject({
    passed: 5,
    failed: 4,
    failures: ['4 flaky tests, 3 are allowed'],
  })
})

/** A file whose first test passes at the second attempt, and whose second test leaves an error behind. */
const shaky = `
import { expect, test } from 'vitest'
let attempts = 0
test('shaky', () => expect(++attempts).toBe(2))
test('leaves an error', () => void Promise.reject(new Error('left behind')))
`

test.for([
  ['1', { passed: 2, failed: 1, flaky: 1 }],
  ['0', { passed: 1, failed: 2, flaky: 0 }],
] as const)('TEST_RETRIES=%s sets the retries of a failed test', async ([retries, expected]) => {
  const root = mkdtempSync(join(folder, 'run-'))
  mkdirSync(join(root, 'scripts'))
  writeFileSync(join(root, 'scripts/shaky.test.ts'), shaky)
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'), 'junction')
  const [json, supplement] = [join(root, 'report.json'), join(root, 'supplement.json')]
  const reporters = ['json', resolve('scripts/house/supplement.ts')].flatMap((each) => ['--reporter', each])
  const config = ['--config', resolve('vitest.config.ts'), '--project', 'scripts']
  const args = [resolve(bin('vitest')), 'run', ...config, ...reporters, `--outputFile.json=${json}`]
  const env = { ...process.env, TEST_RETRIES: retries, [supplementFile]: supplement }
  // The exit code is 1 in both runs, because of the error outside of tests.
  await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch(() => undefined)
  const result = ofReport(json, 1, (read: VitestReport) =>
    add(ofVitest(read), ofSupplement(readSupplement(supplement))),
  )
  expect({ passed: result.passed, failed: result.failed, flaky: result.flaky.length }).toEqual(expected)
  for (const name of result.flaky)
    expect(name).toMatch(/^scripts\/shaky.test.ts: shaky: AssertionError: expected 1 to be 2/)
  expect(result.failures.at(-1)).toContain('unhandled error in scripts/shaky.test.ts')
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
