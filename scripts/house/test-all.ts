// `npm test`: every check and every runner, one after another, and one line at the end that counts them all.
import { rmSync } from 'node:fs'
import { ensureChromium } from './chromium.ts'
import { build } from './build.ts'
import { ensureMedia } from './media.ts'
import { startPostgres } from './postgres.ts'
import { bin, node, say } from './step.ts'
import {
  add,
  line,
  nothing,
  ofExitCode,
  ofPlaywright,
  ofReport,
  ofUnhandled,
  ofVitest,
  type Tally,
  type VitestReport,
} from './tally.ts'
import { unhandledFile } from './unhandled.ts'

const reports = '.cache/reports'

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** The static checks, each one test. */
const checks: readonly (readonly [name: string, tool: string, ...args: string[]])[] = [
  ['types (tsc -b)', bin('typescript', 'tsc'), '-b'],
  ['lint (oxlint)', bin('oxlint')],
  ['format (oxfmt --check)', bin('oxfmt'), '--check', '.'],
  ['unused code and dependencies (knip)', bin('knip'), '--no-progress'],
]

/** Runs one step, says what came of it, and never throws: a step that breaks is a failed test. */
async function step(name: string, work: () => Promise<Tally>): Promise<Tally> {
  say(name)
  const since = performance.now()
  const tally = await work().catch((error: unknown) => {
    console.error(error)
    return ofExitCode(1)
  })
  say(`${name}: ${line(tally)} (${seconds(since)})`)
  return tally
}

async function runChecks(): Promise<Tally> {
  let total = nothing
  for (const [name, tool, ...args] of checks)
    total = add(total, await step(name, async () => ofExitCode(await node(tool, args, { minutes: 5 }))))
  return total
}

async function vitest(report: string, args: readonly string[] = [], env = {}): Promise<Tally> {
  const file = `${reports}/${report}.json`
  const errors = `${reports}/${report}.unhandled.json`
  for (const old of [file, errors]) rmSync(old, { force: true })
  const reporters = ['dot', 'json', './scripts/house/unhandled.ts'].map((name) => `--reporter=${name}`)
  const flags = ['run', ...reporters, `--outputFile.json=${file}`, ...args]
  const code = await node(bin('vitest'), flags, { env: { ...env, [unhandledFile]: errors }, minutes: 20 })
  return ofReport(file, code, (result: VitestReport) => add(ofVitest(result), ofUnhandled(errors)))
}

async function onPostgres(): Promise<Tally> {
  const postgres = await startPostgres()
  if (!postgres) {
    say(`No PostgreSQL 15 or newer here, and none could be installed: the service tests ran on SQLite only`)
    return { ...nothing, skipped: 1 }
  }
  try {
    say(`PostgreSQL ${postgres.version} in a temporary folder`)
    // The relay knows no database.
    return await vitest('postgres', ['--project', 'server', '--exclude', 'server/relay/**'], {
      DATABASE_URL: postgres.url,
    })
  } finally {
    await postgres.stop()
  }
}

async function inBrowser(): Promise<Tally> {
  const file = `${reports}/e2e.json`
  rmSync(file, { force: true })
  await ensureChromium()
  const code = await node(bin('@playwright/test', 'playwright'), ['test'], { minutes: 30 })
  return ofReport(file, code, ofPlaywright)
}

/** What to run before a commit: static checks and all tests that need no browser and no second database. */
export async function check(): Promise<number> {
  const total = add(await runChecks(), await vitest('unit'))
  console.log(line(total))
  return total.failed === 0 ? 0 : 1
}

/** Everything. Gives the exit code. */
export async function testAll(): Promise<number> {
  const since = performance.now()
  let total = await runChecks()
  await ensureMedia()
  total = add(total, await step('unit, service and repository tests', () => vitest('unit')))
  total = add(total, await step('service tests on PostgreSQL', onPostgres))
  const built = await step('build', async () => ofExitCode(await build()))
  total = add(total, built)
  if (built.failed === 0) total = add(total, await step('browser tests', inBrowser))
  else total = add(total, ofExitCode(1))
  for (const name of total.failures) say(`failed: ${name}`)
  say(`everything took ${seconds(since)}`)
  console.log(line(total))
  return total.failed === 0 ? 0 : 1
}
