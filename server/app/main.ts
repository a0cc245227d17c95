// Starts the service, or runs a command of the terminal (commands.ts) and ends.
import { collectDefaultMetrics } from 'prom-client'
import { acceptsSecret, type Command, commands } from '#server/app/start/commands.ts'
import { usage } from '#server/app/start/usage.ts'
import { readConfig } from './settings.ts'
import { type App, createApp } from './create-app.ts'
import { misconfigured } from '#server/app/start/exit-codes.ts'
import type { Config } from '#server/core/settings.ts'
import { createLog } from '#server/app/http/log.ts'
import type { RelayEnd } from '#server/app/nodes/relay-child.ts'
import { lockDataDir } from '#server/app/start/data-lock.ts'
import { StartError } from '#server/app/start/start-error.ts'
import { becomeOwner } from '#server/app/start/owner.ts'
import { openWhenReachable } from '#server/app/start/waiting-start.ts'
import { welcome } from '#server/app/start/welcome.ts'

const closeMs = 15_000
let isEnding = false
// Output may be closed (`npm start | head`): the service continues.
process.stdout.on('error', () => undefined)

const programs: Readonly<Record<string, Command>> = { '': serve, ...commands }
/** Exit codes of errors that are a sentence for the operator, by name. Others are bugs, and print their stack. */
const sentences: Readonly<Record<string, number>> = {
  CertificateError: 1,
  ConfigError: misconfigured,
  CopyError: 1,
  NewerSchemaError: misconfigured,
  OlderSchemaError: misconfigured,
  StartError: misconfigured,
  UnreachableError: 1,
}

try {
  const [command = '', ...about] = process.argv.slice(2)
  const run = programs[command]
  const config = readConfig(process.env)
  if (run !== serve) becomeOwner(config)
  if (!run) await runOps(config, command, about)
  // The listener keeps the lock from garbage collection.
  if (run === serve) process.once('exit', lockDataDir(config))
  if (run === serve) await serve(await start(config))
  else if (run) await run(await createApp({ config, acceptsSecret: command === acceptsSecret }), about)
} catch (error) {
  const { name, message, stack } = error as Error
  const code = sentences[name]
  process.stderr.write(`${code === undefined ? stack : message}\n`)
  // Nothing has begun that would have to be ended in order.
  process.exit(code ?? 1)
}

/** Runs a command that opens the database itself. @throws StartError for an unknown one */
async function runOps(config: Config, command: string, about: readonly string[]): Promise<void> {
  const { opsCommands } = await import('#server/app/ops/commands.ts')
  const run = opsCommands[command]
  if (!run) throw new StartError(`Unknown command: ${command}. ${usage}`)
  await run(config, about)
}

/** Wires the service. On PostgreSQL it waits for the database. */
async function start(config: Config): Promise<App> {
  if (config.databaseUrl === '') return createApp({ config })
  const log = createLog(config.logLevel)
  const { db, release } = await openWhenReachable(config, log)
  const app = await createApp({ config, log, db })
  await release()
  return app
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
