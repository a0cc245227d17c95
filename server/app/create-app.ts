// Composition root of the service.
import { byCurrency } from '#contract/entities/currencies.ts'
import { access } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { type Clock, systemClock } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { serveNotServed } from '#server/core/http.ts'
import { createLimits, noLimits } from '#server/core/limits.ts'
import { createBus, createNotifyTransport, type Transport } from '#server/core/bus.ts'
import { derivedKey } from '#server/core/secrets.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, type Db, openDatabase } from '#server/db/open.ts'
import type { Signals } from '#server/db/signals.ts'
import { mayWatch } from '#server/domain/projects/access.ts'
import { findFile, hasUsers } from '#server/domain/account/store.ts'
import { adapters as platforms } from '#server/platforms/adapters.gen.ts'
import { sellsByProvider } from '#server/domain/billing/providers/registry.ts'
import { acceptSecret, claimSecret } from '#server/domain/installation/secret-check.ts'
import { updateBillingAnswer, updateBonuses } from '#server/domain/installation/store.ts'
import { adoptFiles } from '#server/domain/account/pictures.ts'
import { endWaiting, wakeByMarks } from '#server/domain/broadcasts/waits.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { offeredProviders } from '#server/domain/account/sign-in-providers.ts'
import { serveChallenges } from '#server/app/http/acme-routes.ts'
import { serveApi } from '#server/app/http/api.ts'
import { serveKickWebhook } from '#server/app/http/kick-routes.ts'
import { servePayWebhooks } from '#server/app/http/pay-routes.ts'
import { countFailedDeliveries, observeCertificate, observeService } from '#server/app/http/metrics.ts'
import { observeAnswers, shapeAnswers } from '#server/app/http/answers.ts'
import { clientAddress } from '#server/app/http/client-address.ts'
import type { Config } from '#server/core/settings.ts'
import { serveContent } from '#server/app/http/content-routes.ts'
import { serveDashboard } from '#server/app/http/dashboard.ts'
import { prepareDataDir } from '#server/app/start/data-dir.ts'
import { createJobRunner, type JobRunner } from '#server/core/jobs.ts'
import { backupKindsOf } from '#server/app/jobs/backups.ts'
import { certificateKindsOf } from '#server/app/jobs/certificates.ts'
import { jobKindsOf } from '#server/app/jobs/kinds.ts'
import { answerBotCommand } from '#server/domain/notifications/telegram-link.ts'
import { readTelegramUpdates } from '#server/app/telegram/updates.ts'
import { keepRelay, relayChildOf, type RelayEnd } from '#server/app/nodes/relay-child.ts'
import { createLog } from '#server/app/http/log.ts'
import { createRealtimeGate } from '#server/app/live/realtime-gate.ts'
import { createWritePublisher } from '#server/app/live/write-publisher.ts'
import { createRelayGate, type RelayGate } from '#server/app/nodes/relay-gate.ts'
import { serveStats } from '#server/app/nodes/stats.ts'
import { serveHls } from '#server/app/media/hls-routes.ts'
import { createBrowserIngest } from '#server/app/media/browser-ingest.ts'
import { createPreviews } from '#server/app/media/previews.ts'
import { servePreviews } from '#server/app/media/preview-routes.ts'
import { servePapers } from '#server/app/papers/paper-routes.ts'
import { serveNothing, serveProbes } from '#server/app/http/probes.ts'
import { createChatReaders } from '#server/app/live/chat-readers.ts'
import { createObjectStore, type ObjectStore } from '#server/core/object-store.ts'
import { serveMedia } from '#server/app/media/media.ts'
import type { UploadParts } from '#server/app/media/upload-routes.ts'
import { mediaKindsOf } from '#server/app/jobs/media.ts'
import { archiveKindsOf } from '#server/app/jobs/archive.ts'
import { createReadiness } from '#server/app/http/readiness.ts'
import { createInstallationCaches } from '#server/app/nodes/installation-caches.ts'
import { mayUpgrade } from '#server/app/http/plain-http.ts'
import { listen, type Ports } from '#server/app/start/listen.ts'
import { createServer } from '#server/app/http/server.ts'
import { settingsOf } from './settings.ts'
import { serveApps } from './oauth/routes.ts'
import { recoveryLink } from './sign-in/recovery.ts'
import { serveSignIn } from './sign-in/routes.ts'
import {
  cannotOpenPostgres,
  cannotStart,
  cannotUseDatabase,
  databaseFile,
  refuseSecret,
} from '#server/app/start/start-error.ts'
import { serveUpgrades } from '#server/app/http/upgrades.ts'

/** A running service, or one that tests talk to without a socket. */
export interface App {
  readonly services: Services
  readonly db: Db
  readonly clock: Clock
  /** Runner of this replica; `listen` starts it. */
  readonly jobs: JobRunner
  readonly signals: Signals
  readonly registry: Registry
  readonly inject: FastifyInstance['inject']
  /** Starts listening. @returns the public address */
  listen(): Promise<{ readonly url: string }>
  /** Returns the public address. */
  url(): string
  /** Returns the address where the owner creates the first account; null when there is one. */
  ownerLink(): string | null
  /** Returns the address where a code creates an account. */
  signUpLink(code: string): string
  /** Returns the address where a code sets a new password. */
  recoveryLink(code: string): string
  /** Finishes running calls, then closes everything. @param relay default: `end` */
  close(relay?: RelayEnd): Promise<void>
}

interface AppOptions {
  readonly config: Config
  readonly clock?: Clock
  readonly db?: Database
  readonly log?: Logger
  /** The secret of the configuration replaces that of the installation. */
  readonly acceptsSecret?: boolean
}

/**
 * Opens the database, brings it up to date and wires the service.
 * @example const app = await createApp({ config: readConfig(process.env) }); await app.listen()
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, clock = systemClock } = options
  const log = options.log ?? createLog(config.logLevel)
  // The secret is a file of this folder.
  prepareDataDir(config.dataDir)
  const settings = settingsOf(config)
  const database = await openPrepared(options, settings.secret, log)
  const relayToken = config.relayToken || derivedKey(settings.secret, 'relay node').toString('base64url')
  let url = settings.publicUrl ?? `http://${config.host}:${config.port}`
  const onBusFault = (error: unknown) => log.error({ err: error }, 'A message between replicas failed')
  const bus = createBus(await transportOf(config, database, settings.secret), onBusFault)
  const limits = config.rateLimits ? createLimits(clock, bus) : noLimits
  const relay = createRelayGate({ token: relayToken, bus, signals: database.signals, config, url: () => url })
  const { db } = database
  const realtime = createRealtimeGate({ db, clock, config: settings, log }, bus, clientAddress(config.trustProxy))
  const caches = createInstallationCaches(database)
  const chat = createChatReaders(() => services, config.readsChats, bus, database.signals)
  const services: Services = { db, clock, config: settings, limits, log, relay, realtime, caches, chat, platforms, bus }
  if (sellsByProvider(services))
    await updateBonuses(
      db,
      byCurrency(() => 0),
    )
  const server = createServer(config, log)
  shapeAnswers(server)
  const registry = observeAnswers(server)
  let [stopping, ports]: [boolean, Ports | null] = [false, null]
  const files = options.db || config.databaseUrl !== '' ? [] : [databaseFile(config)]
  const canWrite = createReadiness(database, [config.dataDir, ...files], log)
  const ready = () => (stopping ? Promise.reject(new Error('stopping')) : canWrite())

  await serveApi(server, services, createWritePublisher(services))
  await servePayWebhooks(server, services)
  await serveKickWebhook(server, services)
  serveNotServed(server)
  const isProxied = config.publicUrl !== null || config.trustProxy !== ''
  serveProbes(server, { settings, registry, metricsToken: config.metricsToken, isProxied, ready })
  const previews = createPreviews({ open: relay.preview, mayWatch: (watching) => mayWatch(services, watching) })
  const browsers = createBrowserIngest(services, { open: relay.browser, addressOf: clientAddress(config.trustProxy) })
  servePreviews(server, services, previews, relay.hls)
  serveHls(server, services, relay.hls)
  serveStats(server, services, relay)
  const store = config.s3 === null ? null : createObjectStore(config.s3)
  const library = { ...serveMedia(server, services, { open: relay.file, store }), file: relay.file }
  for (const { recheck } of [previews, browsers, library]) realtime.onRecheck(recheck)
  for (const serve of [servePapers, serveContent, serveChallenges]) serve(server, services)
  await server.register((scope) => serveSignIn(scope, services))
  await serveApps(server, services, () => url)
  const parts = { file: (name: string) => findFile(database.db, name), signIn: offeredProviders(settings) }
  serveNothing(server, await serveDashboard(server, config, parts))
  await server.ready()
  if (settings.contentDir !== null) await readContent(services, settings.contentDir)

  const ownerCode = await issueOwnerCode(services).catch(cannotUseDatabase(config))
  const stopTelegram = readTelegramUpdates(services, answerBotCommand)
  const kinds = [...jobKindsOf(services, countFailedDeliveries(registry)), ...machineKindsOf(config, store, library)]
  const jobs = createJobRunner({ services, signals: database.signals, kinds })
  for (const part of [realtime, chat]) part.observe(registry)
  chat.start()
  observeService(registry, services, ready)
  observeCertificate(registry, () => ports?.certificate?.current() ?? null)
  serveUpgrades(server.server, [...realtime.routes, browsers.route, ...relay.open(services)], mayUpgrade(config))
  wakeByMarks(database)
  database.signals.open(onBusFault)
  bus.open()
  let endRelay: ReturnType<typeof keepRelay> = async () => {}
  // The dashboard opens the sign-in page, so that the new user is signed in there.
  const signUpLink = (code: string) => `${url}/sign-in?invite=${code}`

  return {
    services,
    db,
    clock,
    jobs,
    signals: database.signals,
    registry,
    inject: server.inject.bind(server) as FastifyInstance['inject'],
    async listen() {
      ports = await listen(server, config, log)
      url = settings.publicUrl ?? ports.url
      jobs.start()
      if (config.runsRelay) endRelay = keepRelay(relay, log, relayChildOf(config, ports.plainPort, relayToken))
      return { url }
    },
    url: () => url,
    signUpLink,
    recoveryLink: (code) => recoveryLink(url, code),
    ownerLink: () => (ownerCode === null ? null : signUpLink(ownerCode)),
    async close(how = 'end') {
      stopping = true
      if (how === 'keep') await realtime.leave()
      endWaiting(db)
      // A relay could not find the next service on a random port.
      await endRelay((config.tls === null ? config.port : config.httpPort) === 0 ? 'end' : how)
      for (const media of [previews, browsers]) media.close()
      await chat.close()
      await relay.close()
      await bus.close()
      await database.signals.close()
      await Promise.all([realtime.close(), stopTelegram(), jobs.stop()])
      await server.close()
      await ports?.closed
      await database.close()
    },
  }
}

/** Jobs with tools and files of the machine, and of relay nodes. */
const machineKindsOf = (
  config: Config,
  store: ObjectStore | null,
  { file, ...library }: Pick<RelayGate, 'file'> & UploadParts,
) => [...backupKindsOf(config), ...certificateKindsOf(config), ...archiveKindsOf(store, file), ...mediaKindsOf(library)]

/** Issues the code of the first account; null: there is one. */
const issueOwnerCode = async (services: Services): Promise<string | null> =>
  (await hasUsers(services.db)) ? null : issueCode(services, services.db, 'owner')

/** Opens the database, migrates it, and checks that the secret and the files of the installation belong to it. */
async function openPrepared(options: AppOptions, secret: Uint8Array, log: Logger): Promise<Database> {
  const { config } = options
  const unusable = cannotUseDatabase(config)
  const unopened = config.databaseUrl === '' ? unusable : cannotOpenPostgres
  const database = options.db ?? (await openDatabase(sourceOf(config)).catch(unopened))
  const migrations = await migrate(database).catch(unusable)
  if (migrations.length > 0) log.info({ steps: migrations.length, last: migrations.at(-1) }, 'Migrated')
  await checkSecret(options, database, secret).catch(unusable)
  await adoptFiles(database.db, config.dataDir).catch(unusable)
  if (config.billing !== '') await updateBillingAnswer(database.db, config.billing).catch(unusable)
  return database
}

/** Returns the transport of the bus; null: there is one process only. */
async function transportOf({ natsUrl }: Config, { line }: Database, secret: Uint8Array): Promise<Transport | null> {
  if (natsUrl === '') return line ? createNotifyTransport(line) : null
  const { createNatsTransport } = await import('#server/core/bus-nats.ts')
  // Installations that share a server do not read each other's messages.
  return createNatsTransport(natsUrl, `relaydeck.${derivedKey(secret, 'bus').toString('base64url')}`)
}

/** Compares the secret of the configuration with that of the installation, or replaces that one. */
async function checkSecret(
  { config, acceptsSecret }: AppOptions,
  database: Database,
  secret: Uint8Array,
): Promise<void> {
  if (acceptsSecret) return await acceptSecret(database.db, secret)
  if (await claimSecret(database.db, secret)) return
  await database.close()
  refuseSecret(config)
}

/** Reads the operator's texts, so that the log names their problems at the start. */
async function readContent(services: Services, folder: string): Promise<void> {
  await access(folder).catch(cannotStart('The folder of CONTENT_DIR cannot be read'))
  const { contentOf } = await import('#server/content/content.ts')
  await contentOf(services).library()
}

const sourceOf = (config: Config) =>
  config.databaseUrl === '' ? { file: databaseFile(config), sync: config.sqliteSync } : { url: config.databaseUrl }
