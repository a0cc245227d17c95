// Vitest reporter: writes errors outside of tests to a file, because the JSON report leaves them out.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, SerializedError } from 'vitest/node'

/** Environment variable with the file to write: a JSON array with one string for each error. */
export const unhandledFile = 'UNHANDLED_ERRORS_FILE'

const root = `${process.cwd()}/`

/**
 * One line for an error that no test caught: the test file, the last test, the message and the first stack frames.
 * @example `server/core/http.test.ts (during "closes"): Error: read ECONNRESET | at onRead (server/core/http.ts:12:3)`
 */
export function describeUnhandled(error: SerializedError): string {
  const path = error['VITEST_TEST_PATH']
  const test = error['VITEST_TEST_NAME']
  const file = typeof path === 'string' ? relative('.', path) : 'unknown file'
  const during = typeof test === 'string' ? ` (during "${test}")` : ''
  const [, ...frames] = (error.stack ?? '').replaceAll(root, '').split(/\n\s+(?=at )/)
  const what = [`${error.name ?? 'Error'}: ${error.message}`, ...frames.slice(0, 5)].join(' | ')
  return `${file}${during}: ${what}`
}

// oxlint-disable-next-line import/no-default-export -- Vitest loads the default export of a reporter.
export default class UnhandledReporter implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly SerializedError[]): void {
    const file = process.env[unhandledFile]
    if (!file) return
    // In a fresh clone this reporter is the first that writes there.
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(errors.map(describeUnhandled)))
  }
}
