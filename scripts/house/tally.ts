// Counts the results of all runners for the last line of `npm test`.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Supplement } from './supplement.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Failures by name, as far as the runner reports them. */
  readonly failures: readonly string[]
  /** Tests that failed, ran again and passed. They count as passed. */
  readonly flaky: readonly string[]
}

/** Flaky tests that a run may have and still pass. */
const flakyLimit = 3

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] }
const oneFailed: Tally = { ...nothing, failed: 1 }

export function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
    flaky: [...a.flaky, ...b.flaky],
  }
}

/** Counts a check without tests of its own as one test. */
export function ofExitCode(code: number): Tally {
  return code === 0 ? { ...nothing, passed: 1 } : oneFailed
}

/** @example `12 passed, 0 failed, 1 skipped` */
export function line({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Counts flaky tests as failed if there are more than a run may have. */
export function judged(tally: Tally): Tally {
  const count = tally.flaky.length
  if (count <= flakyLimit) return tally
  const failures = [...tally.failures, `${count} flaky tests, ${flakyLimit} are allowed`]
  return { ...tally, passed: tally.passed - count, failed: tally.failed + count, failures }
}

/** The used part of Vitest's JSON report. */
export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Reads Vitest's JSON report. A file that failed outside its tests, for example on import, is one more failure. */
export function ofVitest(report: VitestReport): Tally {
  let tally = nothing
  for (const file of report.testResults) {
    const having = (status: string) => file.assertionResults.filter((result) => result.status === status)
    const [passed, failed] = [having('passed').length, having('failed')]
    const broken = file.status === 'failed' && failed.length === 0
    const name = relative('.', file.name)
    tally = add(tally, {
      ...nothing,
      passed,
      failed: failed.length + (broken ? 1 : 0),
      skipped: file.assertionResults.length - passed - failed.length,
      failures: broken ? [name] : failed.map(({ fullName }) => `${name}: ${fullName}`),
    })
  }
  return tally
}

/** Counts errors outside of tests, each as one failure, and names flaky tests, which the JSON report counts as passed. */
export function ofSupplement({ unhandled, flaky }: Supplement): Tally {
  const failures = unhandled.map((each) => `unhandled error in ${each}`)
  return { ...nothing, failed: failures.length, failures, flaky }
}

interface PlaywrightSpec {
  readonly title: string
  readonly ok: boolean
  readonly file: string
  readonly tests: readonly {
    readonly status: string
    readonly results: readonly { readonly error?: { readonly message?: string } }[]
  }[]
}

interface PlaywrightSuite {
  readonly specs: readonly PlaywrightSpec[]
  readonly suites?: readonly PlaywrightSuite[]
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[]
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly errors: readonly unknown[]
}

const specsOf = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSpec[] => [...specs, ...suites.flatMap(specsOf)]

const nameOf = ({ file, title }: PlaywrightSpec): string => `${file}: ${title}`

/** Name and first error of a spec that passed at the second attempt. */
function flakyName(spec: PlaywrightSpec): string {
  const errors = spec.tests.flatMap(({ results }) => results.map(({ error }) => error?.message))
  const message = errors.find((each) => each !== undefined)
  // Messages have colours and a call log of many lines.
  const [first] = stripVTControlCharacters(message ?? '').split('\n')
  return first ? `${nameOf(spec)}: ${first}` : nameOf(spec)
}

/** Reads Playwright's JSON report. A test that passed at the second attempt counts as passed and is named as flaky. */
export function ofPlaywright({ stats, errors, suites }: PlaywrightReport): Tally {
  const specs = suites.flatMap(specsOf)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: specs.filter(({ ok }) => !ok).map(nameOf),
    flaky: specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(flakyName),
  }
}

/** Reads a runner's report. No report, no tests, or a bad exit code without a failed test: each is a failure. */
export function ofReport<Report>(file: string, code: number, count: (report: Report) => Tally): Tally {
  if (!existsSync(file)) return oneFailed
  const tally = count(JSON.parse(readFileSync(file, 'utf8')))
  const silent = tally.passed + tally.failed === 0 || (code !== 0 && tally.failed === 0)
  return silent ? add(tally, { ...oneFailed, failures: [`${file}: it ended with ${code}, and no test failed`] }) : tally
}
