// Settings of the service as a whole.
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import {
  ConfigError,
  env,
  flag,
  orNull,
  publicUrl,
  settings,
  several,
  anyText,
  variable,
  whole,
} from '#server/core/variables.ts'
import { clientAddress } from './http/client-address.ts'

/** Addresses or networks of proxies. */
const proxies = z.string().check(z.refine(isTrusted))

/** Address of a mail server. */
const mailServer = z
  .string()
  .check(
    z.refine(
      (value) => ['smtp:', 'smtps:'].includes(URL.parse(value)?.protocol ?? '') && URL.parse(value)?.hostname !== '',
    ),
  )

/** Settings that several parts use, or that decide how the process starts. */
export const appSettings = settings({
  port: env('PORT', whole(0, 65_535), '8080', 'Port to listen on; 0 takes a free one'),
  host: env(
    'HOST',
    anyText,
    '127.0.0.1',
    'Address to listen on. The default accepts this machine only, because the first visitor makes the owner’s account, and HTTPS needs TLS_CERT or a proxy. `0.0.0.0` in a container or a home network',
  ),
  publicUrl: several({ PUBLIC_URL: publicUrl }, ({ PUBLIC_URL }) => orNull(PUBLIC_URL)),
  trustProxy: env(
    'TRUST_PROXY',
    proxies,
    '',
    'Addresses or networks of reverse proxies, comma separated; the service trusts `X-Forwarded-*` from them only',
  ),
  dataDir: env(
    'DATA_DIR',
    anyText,
    'data',
    'Folder of the SQLite file, PDFs of papers and the generated secret',
    (folder) => resolve(folder),
  ),
  contentDir: env(
    'CONTENT_DIR',
    anyText,
    '',
    'Folder of your articles (`help/`), blog posts (`blog/`) and policies (`policies/`), see docs/handbook.md. Empty: only the articles of Relaydeck',
    (folder) => (folder === '' ? null : resolve(folder)),
  ),
  backups: env(
    'BACKUPS',
    z.enum(['auto', 'on', 'off']),
    'auto',
    'Daily backup and weekly test restore by the service. `auto`: with SQLite. With PostgreSQL, `on` needs pg_dump and pg_restore on each machine of the service',
  ),
  backupDir: env('BACKUP_DIR', anyText, '', 'Folder of backups. Empty: `backups` in DATA_DIR', (folder) =>
    folder === '' ? '' : resolve(folder),
  ),
  backupCommand: env(
    'BACKUP_COMMAND',
    anyText,
    '',
    'Command that copies each finished backup elsewhere, run by `sh` with the file as its last argument. Empty: none',
  ),
  databaseUrl: env(
    'DATABASE_URL',
    z.string().check(z.regex(/^(postgres(ql)?:\/\/\S+)?$/)),
    '',
    '`postgres://…`; empty: SQLite in DATA_DIR',
  ),
  natsUrl: env(
    'NATS_URL',
    z.string().check(z.regex(/^((nats|tls):\/\/\S+)?$/)),
    '',
    'NATS server for messages between replicas, `nats://host:4222`, with user and password or a token before `@`. Empty: PostgreSQL carries them, about 2,500 a second',
  ),
  sqliteSync: env(
    'SQLITE_SYNC',
    z.enum(['normal', 'full']),
    'normal',
    '`normal` survives a crash of the process; `full` also survives a power cut, with slower writes',
  ),
  givenSecret: env(
    'SECRET',
    z.union([z.literal(''), z.string().check(z.minLength(32))]),
    '',
    'Secret that signs tokens, 32 characters or more; the same on all replicas. Empty: generated into DATA_DIR. Lost: see below',
  ),
  billing: env(
    'BILLING',
    z.enum(['', 'off', 'plans']),
    '',
    'First answer to how the server is used. `off`: for you and your team, everything included; `plans`: for customers, with plans and prices. Later the operator area changes it. Empty: choose on the page that creates the first account',
  ),
  readsChats: env('CHAT', flag, 'on', '`off`: this replica reads no chats; others do'),
  metricsToken: env(
    'METRICS_TOKEN',
    z.union([z.literal(''), z.string().check(z.minLength(16))]),
    '',
    'Bearer token for `/metrics`, 16 characters or more. Empty: this machine only, and no client where PUBLIC_URL or TRUST_PROXY is set',
  ),
  /** Mail server as a URL with its password, sender, and origin of links; null: the service sends no e-mail. */
  mail: several(
    {
      PUBLIC_URL: publicUrl,
      SMTP_URL: variable(
        z.union([z.literal(''), mailServer]),
        '',
        'Mail server for invitations, forgotten passwords and changed e-mails, for example `smtps://user:password@mail.example.com`. Empty: the dashboard shows links to copy',
      ),
      MAIL_FROM: variable(
        anyText,
        '',
        'Sender of e-mails, for example `Relaydeck <relaydeck@example.com>`. Empty: the service sends no e-mail',
      ),
    },
    ({ SMTP_URL: server, MAIL_FROM: from, PUBLIC_URL }) => {
      if (server === '' || from === '') return null
      if (PUBLIC_URL === '')
        throw new ConfigError(
          'PUBLIC_URL must be set when SMTP_URL and MAIL_FROM are: e-mails contain links, and their host must not come from a request. Set it to the origin that people reach the service under.',
        )
      return { server, from, origin: PUBLIC_URL }
    },
  ),
  rateLimits: env('RATE_LIMITS', flag, 'on', '`off` for load tests only'),
  sendsNotifications: env(
    'NOTIFICATIONS',
    flag,
    'on',
    '`off`: this process sends no notifications; another replica does',
  ),
  logLevel: env(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    '`debug` logs every call',
  ),
})

function isTrusted(addresses: string): boolean {
  try {
    clientAddress(addresses)
    return true
  } catch {
    return false
  }
}
