// Starts the service. `invite` makes a sign-up link and ends, `recover <e-mail>` one that sets a new password.
import { collectDefaultMetrics } from 'prom-client'
import { issueCode } from '#server/domain/account/codes.ts'
import { issueRecovery } from '#server/domain/account/recovery.ts'
import { readConfig } from './config.ts'
import { type App, createApp } from './create-app.ts'
import { misconfigured } from '#server/app/start/exit-codes.ts'
import type { RelayEnd } from '#server/app/nodes/relay-child.ts'
import { lockDataDir } from '#server/app/start/data-lock.ts'
import { StartError } from '#server/app/start/start-error.ts'
import { welcome } from '#server/app/start/welcome.ts'

const closeMs = 15_000
let isEnding = false
const print = (text: string) => process.stdout.write(`${text}\n`)
// Output may be closed (`npm start | head`): the service continues.
process.stdout.on('error', () => undefined)

const commands: Readonly<Record<string, (app: App, about: string) => Promise<void>>> = { '': serve, invite, recover }
/** Exit codes of errors that are a sentence for the operator, by name. Others are bugs, and print their stack. */
const sentences: Readonly<Record<string, number>> = {
  ConfigError: misconfigured,
  NewerSchemaError: misconfigured,
  StartError: misconfigured,
  UnreachableError: 1,
}

try {
  const [command = '', about = ''] = process.argv.slice(2)
  const run = commands[command]
  if (!run) throw new StartError(`Unknown command: ${command}. There are: invite, recover <e-mail>`)
  const config = readConfig(process.env)
  // The listener keeps the lock from garbage collection.
  if (run === serve) process.once('exit', lockDataDir(config))
  await run(await createApp({ config }), about)
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
  for (const signal of ['SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, () => end(app, 'keep'))
  collectDefaultMetrics({ register: app.registry })
  const { url } = await app.listen()
  process.stdout.write(welcome(url, app.ownerLink()))
  process.send?.('ready')
}

/** Prints a link that lets one person make an account, within a week. */
async function invite(app: App): Promise<void> {
  const code = await issueCode(app.services, app.db, 'invite')
  print(app.signUpLink(code))
  await app.close()
}

/** Prints a link that sets a new password, within an hour. */
async function recover(app: App, email: string): Promise<void> {
  const issued = await issueRecovery(app.services, email, true)
  if (!issued) process.exitCode = 1
  print(issued ? app.recoveryLink(issued.code) : `Nobody has the e-mail "${email}"`)
  await app.close()
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
