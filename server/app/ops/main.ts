// The command `relaydeck` of a release: starts its programs, and runs commands of the terminal.
import { join } from 'node:path'
import { root } from '#server/core/root.ts'
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

/** Asks the service of this machine whether it is ready. */
async function health(): Promise<void> {
  const { HOST = '127.0.0.1', PORT = '8080' } = process.env
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  const answer = await fetch(`http://${host}:${PORT}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
  print(answer?.ok ? 'ready' : `not ready (${answer?.status ?? 'no answer'})`)
  process.exitCode = answer?.ok ? 0 : 1
}

function version(): void {
  const { version: name, arch, commit } = factsOf(root)
  print(`relaydeck ${name} linux-${arch} (${commit})`)
}

/** Commands of a machine. Others are commands of the service. */
const commands: Readonly<Record<string, (about: readonly string[]) => Promise<void> | void>> = {
  serve: () => become(['--max-semi-space-size=1', program('supervisor'), ...service]),
  relay: () => become(['--max-semi-space-size=1', '--v8-pool-size=1', program('relay')]),
  health,
  version,
}

const [name = '', ...about] = process.argv.slice(2)
loadSettings(root, layout, name === 'relay' ? 'relay' : 'service')
const run = commands[name]
if (run) await run(about)
else if (name !== '') become([...service, name, ...about])
else print(`Commands: ${Object.keys(commands).join(', ')}. ${usage}`)
