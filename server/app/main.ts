// Starts the service. `invite` makes a sign-up link and ends, `recover <e-mail>` one that sets a new password.
import { collectDefaultMetrics } from 'prom-client'
import { issueCode } from '#server/domain/codes.ts'
import { issueRecovery } from '#server/domain/recovery.ts'
import { readConfig } from './config.ts'
import { type App, createApp } from './create-app.ts'
import { StartError } from './start-error.ts'
import { welcome } from './welcome.ts'

const closeMs = 15_000
const print = (text: string) => process.stdout.write(`${text}\n`)
// Whoever started it may have stopped listening (`npm start | head`): no reason to end.
process.stdout.on('error', () => undefined)

const commands: Readonly<Record<string, (app: App, about: string) => Promise<void>>> = { '': serve, invite, recover }
/** What whoever started it can do something about: told in a sentence. */
const told = ['ConfigError', 'NewerSchemaError', 'StartError']

try {
  const [command = '', about = ''] = process.argv.slice(2)
  const run = commands[command]
  if (!run) throw new StartError(`Unknown command: ${command}. There are: invite, recover <e-mail>`)
  await run(await createApp({ config: readConfig(process.env) }), about)
} catch (error) {
  const { name, message, stack } = error as Error
  process.stderr.write(`${told.includes(name) ? message : stack}\n`)
  // Nothing has begun that would have to be ended in order.
  process.exit(1)
}

async function serve(app: App): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(app))
  collectDefaultMetrics({ register: app.registry })
  const { url } = await app.listen()
  process.stdout.write(welcome(url, app.ownerLink()))
}

/** Prints a link that lets one person make an account, within a week. */
async function invite(app: App): Promise<void> {
  const code = await issueCode(app.services, app.db, 'invite')
  print(app.signUpLink(code))
  await app.close()
}

/** Prints a link that sets a new password, within an hour. */
async function recover(app: App, email: string): Promise<void> {
  const issued = await issueRecovery(app.services, email, false)
  if (!issued) process.exitCode = 1
  print(issued ? app.recoveryLink(issued.code) : `Nobody has the e-mail "${email}"`)
  await app.close()
}

async function end(app: App): Promise<void> {
  // A call that never ends must not keep a service that was told to stop.
  setTimeout(() => process.exit(1), closeMs).unref()
  await app.close()
}
