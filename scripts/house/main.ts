// The commands of package.json. Each one sees to what it needs, and says in a line what it is doing.
import { ensureChromium } from './chromium.ts'
import { build, ensureBuilt } from './dashboard.ts'
import { dev } from './dev.ts'
import { bin, endOnSignals, node } from './step.ts'
import { runChecks, testAll, vitest } from './test-all.ts'
import { add, line } from './tally.ts'

type Command = (args: readonly string[]) => Promise<number>

const tool =
  (name: string, first: readonly string[] = [], command = name): Command =>
  (args) =>
    node(bin(name, command), [...first, ...args])

const commands: Readonly<Record<string, Command>> = {
  start,
  dev,
  build,
  test: (args) => (args.length > 0 ? tool('vitest', ['run'])(args) : testAll()),
  check,
  lint: tool('oxlint'),
  format: (args) => tool('oxfmt')(args.length > 0 ? args : ['.']),
  typecheck: tool('typescript', ['-b'], 'tsc'),
  e2e,
  bench,
}

/** Runs a command and leaves its exit code with the process. */
export async function main([name = '', ...args]: readonly string[]): Promise<void> {
  const command = commands[name]
  if (!command) {
    console.error(`Unknown command: ${name}. There are: ${Object.keys(commands).join(', ')}.`)
    process.exitCode = 2
    return
  }
  // The service ends in its own graceful way.
  if (name !== 'start') endOnSignals()
  process.exitCode = await command(args)
}

/** The service becomes this very process: no parent to keep in memory, no signal to hand on. */
async function start(): Promise<number> {
  const code = await ensureBuilt()
  if (code === 0) await import('#server/app/main.ts')
  return code
}

/** What to run before a commit: static checks and all tests that need no browser and no second database. */
async function check(): Promise<number> {
  const total = add(await runChecks(), await vitest('unit'))
  console.log(line(total))
  return total.failed === 0 ? 0 : 1
}

async function e2e(args: readonly string[]): Promise<number> {
  const code = await ensureBuilt()
  if (code !== 0) return code
  await ensureChromium()
  return node(bin('@playwright/test', 'playwright'), ['test', ...args])
}

async function bench(args: readonly string[]): Promise<number> {
  const code = await ensureBuilt()
  if (code !== 0) return code
  await ensureChromium()
  return node('scripts/bench/main.ts', args)
}
