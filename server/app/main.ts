// Starts the service, or runs a command of the terminal (commands.ts) and ends.
import { collectDefaultMetrics } from 'prom-client'
import { acceptsSecret, type Command, commands, usage } from '#server/app/start/commands.ts'
import { readConfig } from './settings.ts'
import { type App, createApp } from './create-app.ts'
import { misconfigured } from '#server/app/start/exit-codes.ts'
import type { RelayEnd } from '#server/app/nodes/relay-child.ts'
import { lockDataDir } from '#server/app/start/data-lock.ts'
import { StartError } from '#server/app/start/start-error.ts'
import { welcome } from '#server/app/start/welcome.ts'

const closeMs = 15_000
let isEnding = false
// Output may be closed (`npm start | head`): the service continues.
process.stdout.on('error', () => undefined)

const programs: Readonly<Record<string, Command>> = { '': serve, ...commands }
/** Exit codes of errors that are a sentence for the operator, by name. Others are bugs, and print their stack. */
const sentences: Readonly<Record<string, number>> = {
  ConfigError: misconfigured,
  NewerSchemaError: misconfigured,
  OlderSchemaError: misconfigured,
  StartError: misconfigured,
  UnreachableError: 1,
}

try {
  const [command = '', ...about] = process.argv.slice(2)
  const run = programs[command]
  if (!run) throw new StartError(`Unknown command: ${command}. ${usage}`)
  const config = readConfig(process.env)
  // The listener keeps the lock from garbage collection.
  if (run === serve) process.once('exit', lockDataDir(config))
  await run(await createApp({ config, acceptsSecret: command === acceptsSecret }), about)
} catch (error) {
  const { name, message, stack } = error as Error
  const code = sentences[name]
  process.stderr.write(`${code === undefined ? stack : message}\n`)
  // Nothing has begun that would have to be ended in order.
  process.exit(code ?? 1)
}

/**
 * Serves until a signal. SIGINT (Ctrl-C) ends the relay as well. SIGTERM, SIGHUP and the death of the supervisor leave it
 * running: they come before a restart, which cuts no broadcast.
 */
async function serve(app: App): Promise<void> {
  process.on('SIGINT', () => end(app, 'end'))
  // Its default would end the process.
  process.on('SIGUSR2', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, () => end(app, 'keep'))
  collectDefaultMetrics({ register: app.registry })
  const { url } = await app.listen()
  process.stdout.write(welcome(url, app.ownerLink()))
  process.send?.('ready')
}

/** Ends the service, once: a terminal sends its signal to the supervisor too, which passes it on. */
function end(app: App, relay: RelayEnd): void {
  if (isEnding) return
  isEnding = true
  // A call that never ends must not block the shutdown.
  setTimeout(() => process.exit(1), closeMs).unref()
  app.close(relay).then(
    () => process.exit(),
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`)
      process.exit(1)
    },
  )
}
