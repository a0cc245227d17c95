// Commands of package.json. Each one installs or builds its requirements, and prints each step in a line.
import { resolve } from 'node:path'
import { relayProgram } from '#server/relay/program.ts'
import { build, ensureBuilt, ensureService, programs } from './build.ts'
import type { Purpose } from './chromium.ts'
import { bin, endOnSignals, node, run } from './step.ts'

type Command = (args: readonly string[]) => Promise<number>

const tool =
  (name: string, first: readonly string[] = [], command = name): Command =>
  (args) =>
    node(bin(name, command), [...first, ...args])

const commands: Readonly<Record<string, Command>> = {
  start,
  relay: async () => (await ensureService()) || run(process.execPath, relayProgram(programs.relay), { env: around() }),
  build,
  dev: async (args) => (await import('./dev.ts')).dev(args),
  test: async (args) => (args.length > 0 ? tool('vitest', ['run'])(args) : (await import('./test-all.ts')).testAll()),
  'test:nightly': async () => (await import('./test-all.ts')).testNightly(),
  'test:deploy': async (args) => (await import('#scripts/deploy-tests/main.ts')).deployTests(args),
  cluster: async (args) => (await ensureService()) || (await import('#scripts/cluster/command.ts')).clusterTest(args),
  hour: async (args) => (await ensureService()) || (await import('#scripts/hour/command.ts')).hourTest(args),
  check: async () => (await import('./test-all.ts')).check(),
  lint: tool('oxlint'),
  format: (args) => tool('oxfmt')(args.length > 0 ? args : ['.']),
  generate: (args) => node('scripts/house/registries.ts', args),
  typecheck: tool('typescript', ['-b'], 'tsc'),
  e2e: inBrowser('tests', async (args) => (await import('./chromium.ts')).playwrightTest(args)),
  bench: async (args) =>
    args[0] === 'fleet'
      ? (await ensureService()) || node('scripts/bench/fleet.ts', args.slice(1))
      : inBrowser('figures', (rest) => node('scripts/bench/main.ts', rest))(args),
  integrations: async () => (await import('#scripts/integrations/pack.ts')).packAll(),
  release: async (args) => (await import('#scripts/release/main.ts')).release(args),
  'bench:relay': async (args) => (await ensureService()) || node('scripts/bench/relay/main.ts', args),
}

/** Runs a command and sets the exit code of the process. */
export async function main([name = '', ...args]: readonly string[]): Promise<void> {
  const command = commands[name]
  if (!command) {
    console.error(`Unknown command: ${name}. Commands: ${Object.keys(commands).join(', ')}.`)
    process.exitCode = 2
    return
  }
  // The service has its own graceful shutdown.
  if (name !== 'start') endOnSignals()
  process.exitCode = await command(args)
}

/** Arguments of the service. A small young generation, because a service mostly waits. */
const service = ['--max-semi-space-size=2', programs.service]

/** Environment of service and relay. Compiled code is cached, and threads share two malloc arenas to save memory. */
const around = () => ({ NODE_COMPILE_CACHE: resolve('.cache/compile'), MALLOC_ARENA_MAX: '2', ...process.env })

/**
 * Replaces this process by the supervisor of the service, where the system can (not on Windows). Commands of the
 * terminal run without a supervisor.
 */
async function start(args: readonly string[]): Promise<number> {
  const code = await ensureBuilt()
  if (code !== 0) return code
  const env = around()
  const program = args.length > 0 ? [...service, ...args] : ['--max-semi-space-size=1', programs.supervisor, ...service]
  if (process.platform === 'win32') {
    endOnSignals()
    return run(process.execPath, program, { env })
  }
  process.execve?.(process.execPath, [process.execPath, ...program], env)
  return 1
}

/** Returns a command that needs the built dashboard and a browser. */
function inBrowser(purpose: Purpose, command: Command): Command {
  return async (args) => {
    const code = await ensureBuilt()
    if (code !== 0) return code
    await (await import('./chromium.ts')).ensureChromium(purpose)
    return command(args)
  }
}
