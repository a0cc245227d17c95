// Vitest reporter: writes what the JSON report leaves out, errors outside of tests and flaky tests.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Environment variable with the file to write. */
export const supplementFile = 'TEST_SUPPLEMENT_FILE'

/** Content of that file: one string for each error and each flaky test. */
export interface Supplement {
  readonly unhandled: readonly string[]
  readonly flaky: readonly string[]
}

const root = `${process.cwd()}/`

type ErrorLike = Pick<SerializedError, 'name' | 'message' | 'stack'>

/** One line for an error: its name, its message and the first stack frames. */
function describe({ name, message, stack }: ErrorLike): string {
  const [, ...frames] = (stack ?? '').replaceAll(root, '').split(/\n\s+(?=at )/)
  return [`${name ?? 'Error'}: ${message}`, ...frames.slice(0, 5)].join(' | ')
}

/**
 * One line for an error that no test caught: the test file, the last test, the message and the first stack frames.
 * @example `server/core/http.test.ts (during "closes"): Error: read ECONNRESET | at onRead (server/core/http.ts:12:3)`
 */
export function describeUnhandled(error: SerializedError): string {
  const path = error['VITEST_TEST_PATH']
  const test = error['VITEST_TEST_NAME']
  const file = typeof path === 'string' ? relative('.', path) : 'unknown file'
  const during = typeof test === 'string' ? ` (during "${test}")` : ''
  return `${file}${during}: ${describe(error)}`
}

/**
 * One line for each test of a file that passed at the second attempt, with the error of the first.
 * @example `server/relay/relay.test.ts: accepts a stream: Error: no frame arrived | at …`
 */
function* flakyTests(module: TestModule): Iterable<string> {
  for (const test of module.children.allTests()) {
    if (!test.diagnostic()?.flaky) continue
    const [error] = test.result().errors ?? []
    yield `${relative('.', module.moduleId)}: ${test.fullName}${error ? `: ${describe(error)}` : ''}`
  }
}

/** Reads the file of the reporter. A run that ended early may have left none. */
export function readSupplement(file: string): Supplement {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { unhandled: [], flaky: [] }
}

// oxlint-disable-next-line import/no-default-export -- Vitest loads the default export of a reporter.
export default class SupplementReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env[supplementFile]
    if (!file) return
    // In a fresh clone this reporter is the first that writes there.
    mkdirSync(dirname(file), { recursive: true })
    const content: Supplement = {
      unhandled: errors.map(describeUnhandled),
      flaky: modules.flatMap((module) => [...flakyTests(module)]),
    }
    writeFileSync(file, JSON.stringify(content))
  }
}
