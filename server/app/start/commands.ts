// Commands of the terminal beside the service: links, operators, catalogue, check of the ledger, a new secret.
import { readFileSync, writeFileSync } from 'node:fs'
import { iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { App } from '#server/app/create-app.ts'
import { amountText } from '#server/domain/money/decimal.ts'
import { normalEmail } from '#server/domain/account/accounts.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { dropFactors } from '#server/domain/account/factors.ts'
import { issueRecovery } from '#server/domain/account/recovery.ts'
import { hasFactor } from '#server/domain/account/second-step.ts'
import { findUserByEmail } from '#server/domain/account/store.ts'
import { insertOperator, updateInstallation } from '#server/domain/installation/store.ts'
import { exportCatalogue, importCatalogue } from '#server/domain/operator/catalogue-file.ts'
import { commandLine } from './start-error.ts'
import { usage } from './usage.ts'
import { welcome } from './welcome.ts'
import { getLedgerCheck } from '#server/domain/operator/ledger-check-store.ts'

/** A command. @param about words after its name */
export type Command = (app: App, about: readonly string[]) => Promise<void>

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Prints a link that lets one person create an account, within a week. */
const invite: Command = async (app) => {
  print(app.signUpLink(await issueCode(app.services, app.db, 'invite')))
}

/** Prints the address, and the link that makes the owner's account where there is none. */
const ownerLink: Command = async (app) => {
  process.stdout.write(welcome(app.url(), app.ownerLink()))
}

/** Prints a link that sets a new password, within an hour; or removes the second factors of an account. */
const recover: Command = async (app, [email = '', what = '']) => {
  if (what === 'factors') return recoverFactors(app, email)
  if (what !== '') return fail(usage)
  const issued = await issueRecovery(app.services, email, true)
  if (!issued) return fail(noAccount(email))
  print(app.recoveryLink(issued.code))
  const user = await findUserByEmail(app.db, issued.to)
  if (user && (await hasFactor(app.db, user.id)))
    print(`The account has a second factor. To remove it: ${commandLine(`recover ${issued.to} factors`)}`)
}

/** Removes the second factors of an account whose owner lost them, and ends its sessions. */
async function recoverFactors({ db, services }: App, email: string): Promise<void> {
  const user = await findUserByEmail(db, normalEmail(email))
  if (!user) return fail(noAccount(email))
  const had = await dropFactors(services, user.id)
  print(
    had
      ? `${email} signs in without a second factor now, and is signed out everywhere`
      : `${email} has no second factor`,
  )
}

/** Makes a user an operator of the installation. */
const operator: Command = async ({ db, clock }, [email = '']) => {
  const user = await findUserByEmail(db, normalEmail(email))
  if (!user) return fail(noAccount(email))
  const isNew = await insertOperator(db, { user_id: user.id, date_create: iso(clock.now()) })
  print(isNew ? `${email} is an operator now` : `${email} is an operator already`)
}

/** Writes the catalogues as JSON to a file, or prints them; or saves the plans of a file. */
const catalogue: Command = async ({ db, services }, [action = '', file = '']) => {
  const isExport = action === 'export'
  if (!isExport && (action !== 'import' || file === '')) return fail(usage)
  try {
    if (!isExport)
      return print(`${await importCatalogue(services, JSON.parse(readFileSync(file, 'utf8')))} plans saved`)
    const text = JSON.stringify(await exportCatalogue(db), null, 2)
    if (file === '') return print(text)
    // npm prints a banner to the standard output, which a redirection would write into the file.
    writeFileSync(file, `${text}\n`)
    print(`${file} written`)
  } catch (error) {
    if (!(error instanceof RuleError || error instanceof SyntaxError || 'code' in (error as object))) throw error
    fail(`${file}: ${(error as Error).message}`)
  }
}

/** Checks the sums of the ledger. Exit code 1 when they are wrong. */
const ledger: Command = async ({ db }, [action = '']) => {
  if (action !== 'check') return fail(usage)
  const { transactions, wallets, unbalanced, differing } = await getLedgerCheck(db)
  print(`${transactions} transactions, ${wallets} balances`)
  if (unbalanced.length > 0)
    fail(`Transactions whose entries do not sum to zero in one currency: ${unbalanced.join(', ')}`)
  for (const { projectId, account, currency, minor } of differing)
    fail(`Project ${projectId}: the account ${account} differs by ${amountText(minor, currency)}`)
}

/** Notes that a backup was made now, for the overview of the operators. */
const backupMade: Command = async ({ db, clock }) => {
  const date = iso(clock.now())
  await updateInstallation(db, { date_backup: date })
  print(`Backup of ${date} noted`)
}

/** Name of the command that starts with another secret than that of the installation. */
export const acceptsSecret = 'accept-secret'

/** Confirms that the start has accepted the secret. */
const accepted: Command = async () =>
  print('This secret is accepted now. Start all replicas with it, and enter stream keys and accounts again')

/** Commands by name. Each closes the service at its end. */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  Object.entries({
    invite,
    'owner-link': ownerLink,
    recover,
    operator,
    catalogue,
    ledger,
    'backup-made': backupMade,
    [acceptsSecret]: accepted,
  }).map(([name, run]) => [name, closing(run)]),
)

function closing(run: Command): Command {
  return async (app, about) => {
    await run(app, about)
    await app.close()
  }
}

const noAccount = (email: string) => `No account has the e-mail "${email}"`

/** Prints to stderr, and sets the exit code. */
function fail(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
