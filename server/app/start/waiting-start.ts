// Start while PostgreSQL is away: the process listens and waits. An exit would make the supervisor or an orchestrator wait
// longer after each try, and the dashboard would not open meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#server/core/settings.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { offeredProviders } from '#server/domain/account/sign-in-providers.ts'
import { shapeAnswers } from '#server/app/http/answers.ts'
import { serveDashboard } from '#server/app/http/dashboard.ts'
import { serveLiveness } from '#server/app/http/probes.ts'
import { createServer } from '#server/app/http/server.ts'
import { settingsOf } from '#server/app/settings.ts'
import { listen as openPorts } from './listen.ts'
import { cannotOpenPostgres, UnreachableError } from './start-error.ts'

/** Pause between two tries. */
const tryMs = 1_000
const stops = ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const

interface Opened {
  readonly db: Database
  /** Frees the port for the service. */
  release(): Promise<void>
}

/**
 * Opens PostgreSQL, as soon as it can be reached. Until then `/healthz` answers 200, the dashboard opens, and all else
 * answers 503.
 * @throws StartError when the server refuses the login, or the port is taken
 */
export async function openWhenReachable(config: Config, log: Logger): Promise<Opened> {
  const open = () => openDatabase({ url: config.databaseUrl }).catch(cannotOpenPostgres)
  let failure = await settled(open())
  if ('db' in failure) return { db: failure.db, release: async () => {} }
  const end = () => process.exit()
  for (const signal of stops) process.on(signal, end)
  const release = await listen(config, log, () => failure as { readonly error: UnreachableError })
  log.warn({ why: failure.error.message }, 'The service waits for its database')
  for (;;) {
    await delay(tryMs)
    const next = await settled(open())
    if ('db' in next) {
      for (const signal of stops) process.off(signal, end)
      log.info('The database can be reached')
      return { db: next.db, release }
    }
    failure = next
  }
}

type Outcome = { readonly db: Database } | { readonly error: UnreachableError }

/** @throws every error but that of an unreachable server */
const settled = (opening: Promise<Database>): Promise<Outcome> =>
  opening.then(
    (db) => ({ db }),
    (error: unknown) => {
      if (error instanceof UnreachableError) return { error }
      throw error
    },
  )

/** @returns what closes the port */
async function listen(
  config: Config,
  log: Logger,
  last: () => { readonly error: UnreachableError },
): Promise<() => Promise<void>> {
  const refuse = () => Promise.reject(last().error.cause)
  const server = createServer(config, log)
  shapeAnswers(server)
  serveLiveness(server, refuse)
  const parts = { file: refuse, signIn: offeredProviders(settingsOf(config)) }
  const page = await serveDashboard(server, config, parts)
  server.setNotFoundHandler((request, reply) => (page(request, reply) ? reply : refuse()))
  const ports = await openPorts(server, config, log)
  return async () => {
    await server.close()
    await ports.closed
  }
}
