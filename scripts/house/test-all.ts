// `npm test`: runs all checks and runners, and prints one line with all counts at the end.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { ensureChromium, playwrightTest } from './chromium.ts'
import { ensureBrowsers } from './browsers.ts'
import { build } from './build.ts'
import { ensureMedia } from './media.ts'
import { databaseTests } from './on-postgres.ts'
import { startPostgres } from './postgres.ts'
import { bin, node, say } from './step.ts'
import { readSupplement, supplementFile } from './supplement.ts'
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
  type Tally,
  type VitestReport,
} from './tally.ts'

const reports = '.cache/reports'

/** Every process of a test reads compiled code from here: a tenth of the time that a file with its own process takes. */
process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/compile')

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Static checks; each counts as one test. */
const checks: readonly (readonly [name: string, tool: string, ...args: string[]])[] = [
  ['types (tsc -b)', bin('typescript', 'tsc'), '-b'],
  ['lint (oxlint)', bin('oxlint')],
  ['format (oxfmt --check)', bin('oxfmt'), '--check', '.'],
  ['registries (npm run generate)', 'scripts/house/registries.ts', '--check'],
  ['unused code and dependencies (knip)', bin('knip'), '--no-progress'],
]

/** Runs one step and prints its result. It never throws: a step that breaks is a failed test. */
async function step(name: string, work: () => Promise<Tally>): Promise<Tally> {
  say(name)
  const since = performance.now()
  const tally = await work().catch((error: unknown) => {
    console.error(error)
    return ofExitCode(1)
  })
  const flaky = tally.flaky.length > 0 ? `, ${tally.flaky.length} of them flaky` : ''
  say(`${name}: ${line(tally)}${flaky} (${seconds(since)})`)
  return tally
}

async function runChecks(): Promise<Tally> {
  let total = nothing
  for (const [name, tool, ...args] of checks)
    total = add(total, await step(name, async () => ofExitCode(await node(tool, args, { minutes: 5, isHeld: true }))))
  return total
}

type Environment = Readonly<Record<string, string>>

/** Runs a failed test once more. The configurations of Vitest and Playwright read it. */
const onceMore: Environment = { TEST_RETRIES: '1' }

interface VitestRun {
  readonly args?: readonly string[]
  readonly env?: Environment
  readonly isHeld?: boolean
  /** Longest duration; default 30, for a busy machine. */
  readonly minutes?: number | undefined
}

/** Runs Vitest. @param report name of its reports in `.cache/reports` */
async function vitest(
  report: string,
  { args = [], env = {}, isHeld = false, minutes = 30 }: VitestRun = {},
): Promise<Tally> {
  const file = `${reports}/${report}.json`
  const supplement = `${reports}/${report}.supplement.json`
  for (const old of [file, supplement]) rmSync(old, { force: true })
  const reporters = ['dot', 'json', './scripts/house/supplement.ts'].map((name) => `--reporter=${name}`)
  const flags = ['run', ...reporters, `--outputFile.json=${file}`, ...args]
  const code = await node(bin('vitest'), flags, { env: { ...env, [supplementFile]: supplement }, minutes, isHeld })
  return ofReport(file, code, (result: VitestReport) => add(ofVitest(result), ofSupplement(readSupplement(supplement))))
}

/** @param env for Vitest */
const unit = (env: Environment = {}): Promise<Tally> =>
  step('unit, service and repository tests', () => vitest('unit', { env }))

/** Runs the tests that depend on the database on PostgreSQL. @param env for Vitest */
async function onPostgres(env: Environment = {}, minutes?: number): Promise<Tally> {
  const postgres = await startPostgres()
  if (!postgres) {
    say('No PostgreSQL runs here: the service tests ran on SQLite only')
    return { ...nothing, skipped: 1 }
  }
  try {
    const args = [
      '--project',
      'server',
      '--project',
      'media',
      '--maxWorkers=2',
      ...databaseTests({ isNight: 'NIGHTLY' in env }),
    ]
    return await vitest('postgres', { args, env: { ...env, DATABASE_URL: postgres.url }, isHeld: true, minutes })
  } finally {
    await postgres.stop()
  }
}

/** Runs Playwright. @param args tests to run; default: all but the nightly ones */
async function inBrowser(args: readonly string[] = [], env: Environment = {}): Promise<Tally> {
  const file = `${reports}/e2e.json`
  rmSync(file, { force: true })
  await ensureChromium('tests')
  await ensureBrowsers()
  const code = await playwrightTest(args, { env, minutes: 30 })
  return ofReport(file, code, ofPlaywright)
}

/** Prints flaky tests, failures and counts. @returns the exit code */
function conclude(counted: Tally, since: number): number {
  const total = judged(counted)
  for (const name of total.flaky) say(`flaky: ${name}`)
  for (const name of total.failures) say(`failed: ${name}`)
  say(`everything took ${seconds(since)}`)
  console.log(line(total))
  return total.failed === 0 ? 0 : 1
}

const sum = (tallies: readonly Tally[]): Tally => tallies.reduce(add, nothing)

/** Static checks and all tests without a browser or a second database. @returns the exit code */
export async function check(): Promise<number> {
  const since = performance.now()
  return conclude(sum(await Promise.all([runChecks(), unit()])), since)
}

/** All tests except the nightly ones. A failed test runs once more. @returns the exit code */
export async function testAll(): Promise<number> {
  const since = performance.now()
  await ensureMedia()
  // First, because some tests start the built programs.
  const built = await step('build', async () => ofExitCode(await build(['--logLevel', 'warn'])))
  // Tests of the relay mostly wait: checks and PostgreSQL use the processor meanwhile.
  const beside = async () =>
    add(await runChecks(), await step('service tests on PostgreSQL', () => onPostgres(onceMore)))
  const first = sum([built, ...(await Promise.all([unit(onceMore), beside()]))])
  const browser = built.failed === 0 ? await step('browser tests', () => inBrowser([], onceMore)) : ofExitCode(1)
  return conclude(add(first, browser), since)
}

/** Longest run of Vitest at night, on a busy machine. */
const nightlyMinutes = 90

/** Files with more rounds at night, on SQLite. */
const manyRounds = [
  '/fuzz.test.ts',
  'server/app/live/chat-flood.test.ts',
  'server/app/live/chat-hostile.test.ts',
  'server/app/live/chat-invariants.test.ts',
  'server/app/start/payments-kill.test.ts',
  'server/app/nodes/relay-verdict.night.test.ts',
  'server/relay/relay.clips.test.ts',
  'server/relay/relay.encoders.night.test.ts',
  'scripts/planted-currency.test.ts',
  'scripts/upgrade/upgrade.night.test.ts',
  'scripts/upgrade/upgrade-kill.night.test.ts',
  'server/domain/billing/billing.model.test.ts',
  'server/domain/broadcasts/air-leases.property.test.ts',
  'server/domain/tariffs/subscriptions.property.test.ts',
  'server/realtime/hub.test.ts',
  'src/session/model.test.ts',
]

/** Nightly tests: budgets, pages left open, many rounds of races and of hostile input. @returns the exit code */
export async function testNightly(): Promise<number> {
  const since = performance.now()
  const env = { NIGHTLY: 'on' }
  const built = await step('build', async () => ofExitCode(await build(['--logLevel', 'warn'])))
  const fuzz = await step('hostile input and random orders', () =>
    vitest('nightly', { args: manyRounds, env, minutes: nightlyMinutes }),
  )
  const postgres = await step('service tests on PostgreSQL', () => onPostgres(env, nightlyMinutes))
  const browser =
    built.failed === 0
      ? await step('browser tests of the night', () => inBrowser(['--grep', '@nightly|@rounds'], env))
      : ofExitCode(1)
  const cluster = await step('cluster under faults', async () => {
    const { clusterTest } = await import('#scripts/cluster/command.ts')
    return ofExitCode(await clusterTest(['--seeds', '20']))
  })
  const hour = await step('a broadcast for an hour', async () => {
    const { hourTest } = await import('#scripts/hour/command.ts')
    return ofExitCode(built.failed === 0 ? await hourTest(['--minutes', '60']) : 1)
  })
  const installed = await step('scenarios of an installed machine', async () => {
    const { deployTests } = await import('#scripts/deploy-tests/main.ts')
    return ofExitCode(await deployTests(['.night.']))
  })
  return conclude(sum([built, fuzz, postgres, browser, cluster, hour, installed]), since)
}
