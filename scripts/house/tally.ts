// Counts the results of all runners for the last line of `npm test`.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Failures by name, as far as the runner reports them. */
  readonly failures: readonly string[]
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] }
const oneFailed: Tally = { ...nothing, failed: 1 }

export function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
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
      passed,
      failed: failed.length + (broken ? 1 : 0),
      skipped: file.assertionResults.length - passed - failed.length,
      failures: broken ? [name] : failed.map(({ fullName }) => `${name}: ${fullName}`),
    })
  }
  return tally
}

/** Reads errors outside of tests, as `scripts/house/unhandled.ts` writes them: each is one failure. */
export function ofUnhandled(file: string): Tally {
  const failures: string[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  return { ...nothing, failed: failures.length, failures: failures.map((each) => `unhandled error in ${each}`) }
}

interface PlaywrightSuite {
  readonly specs: readonly { readonly title: string; readonly ok: boolean; readonly file: string }[]
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

const notOk = ({ specs, suites = [] }: PlaywrightSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(notOk),
]

/** Reads Playwright's JSON report. A flaky test counts as failed. */
export function ofPlaywright({ stats, errors, suites }: PlaywrightReport): Tally {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: suites.flatMap(notOk),
  }
}

/** Reads a runner's report. No report, no tests, or a bad exit code without a failed test: each is a failure. */
export function ofReport<Report>(file: string, code: number, count: (report: Report) => Tally): Tally {
  if (!existsSync(file)) return oneFailed
  const tally = count(JSON.parse(readFileSync(file, 'utf8')))
  const silent = tally.passed + tally.failed === 0 || (code !== 0 && tally.failed === 0)
  return silent ? add(tally, { ...oneFailed, failures: [`${file}: it ended with ${code}, and no test failed`] }) : tally
}
