// The command `relaydeck` of a release: starts its programs, and runs commands of the terminal.
import { join, resolve } from 'node:path'
import { root } from '#server/core/root.ts'
import { askHealth } from './health.ts'
import { layout, loadSettings } from './layout.ts'
import { factsOf } from './release.ts'
import { usage } from '#server/app/start/usage.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const program = (name: string): string => join(root, 'dist', 'service', `${name}.js`)
const service = ['--max-semi-space-size=2', program('service')]

/** Replaces this process by a program of the release. */
function become(args: readonly string[]): void {
  const env = { MALLOC_ARENA_MAX: '2', ...process.env, RELAYDECK_COMMAND: 'relaydeck' }
  process.execve?.(process.execPath, [process.execPath, ...args], env)
}

/** Prints whether the service of this machine is ready. Exit code 1: it is not. */
async function health(): Promise<void> {
  const { isReady, words } = await askHealth(process.env)
  print(words)
  process.exitCode = isReady ? 0 : 1
}

function version(): void {
  const { version: name, arch, commit } = factsOf(root)
  print(`relaydeck ${name} linux-${arch} (${commit})`)
}

/** Runs a command of the machine. Prints why it cannot. */
const onMachine =
  (load: () => Promise<(place: typeof layout, about: readonly string[]) => Promise<void>>) =>
  async (about: readonly string[]): Promise<void> => {
    const run = await load()
    await run(layout, about).catch((error: Error) => {
      const isSentence = ['UpgradeError', 'CopyError', 'ConfigError'].includes(error.name)
      process.stderr.write(`${isSentence ? error.message : error.stack}\n`)
      process.exitCode = 1
    })
  }

/** Changes the release in use. */
const changing = (command: 'upgrade' | 'rollback') =>
  onMachine(async () => {
    const { changeRelease } = await import('./upgrade/here.ts')
    return (place, about) => changeRelease(command, place, about)
  })

/** Waits before a start of the service until no upgrade or restore uses its data. */
async function awaitUpgrade(): Promise<void> {
  const { awaitRelease } = await import('./upgrade/hold.ts')
  await awaitRelease(resolve(process.env['DATA_DIR'] ?? 'data'))
}

/** Commands of a machine, beside `serve` (deploy/relaydeck.sh). Others are commands of the service. */
const commands: Readonly<Record<string, (about: readonly string[]) => Promise<void> | void>> = {
  relay: () => become(['--max-semi-space-size=1', '--v8-pool-size=1', program('relay')]),
  health,
  version,
  install: onMachine(async () => (await import('./install.ts')).install),
  upgrade: changing('upgrade'),
  rollback: changing('rollback'),
  status: onMachine(async () => (await import('./status.ts')).status),
  doctor: onMachine(async () => (await import('./doctor.ts')).doctor),
  uninstall: onMachine(async () => (await import('./uninstall.ts')).uninstall),
  'await-upgrade': awaitUpgrade,
}

const [name = '', ...about] = process.argv.slice(2)
loadSettings(root, layout, name === 'relay' ? 'relay' : 'service')
const run = commands[name]
if (run) await run(about)
else if (name !== '') become([...service, name, ...about])
else print(`Commands: serve, ${Object.keys(commands).join(', ')}. ${usage}`)
