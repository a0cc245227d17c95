// Environment variables of the service.
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import {
  ConfigError,
  flag,
  portOrOff,
  type ReadVariables,
  type Variable,
  readVariables,
  variable,
  whole,
} from '#server/core/variables.ts'
import { paySettings } from '#server/domain/billing/providers/settings.gen.ts'
import { list, mailServer, origin, providerBases, proxies, socketAddress, text } from './config-values.ts'

/** Every variable: schema, default, description. The README repeats default and description. */
export const variables = {
  PORT: variable(whole(0, 65_535), '8080', 'Port to listen on; 0 takes a free one'),
  HOST: variable(
    text,
    '127.0.0.1',
    'Address to listen on. The default accepts this machine only, because the first visitor makes the owner’s account and TLS needs a proxy. `0.0.0.0` in a container or a home network',
  ),
  PUBLIC_URL: variable(
    z.union([z.literal(''), origin]),
    '',
    'Public origin of the service, for example `https://live.example.com`. Required with a mail server. Empty: the address of each request',
  ),
  TRUST_PROXY: variable(
    proxies,
    '',
    'Addresses or networks of reverse proxies, comma separated; the service trusts `X-Forwarded-*` from them only',
  ),
  DATA_DIR: variable(
    text,
    'data',
    'Folder of the SQLite file, uploaded images, PDFs of papers and the generated secret',
  ),
  CONTENT_DIR: variable(
    text,
    '',
    'Folder of your articles (`help/`), blog posts (`blog/`) and policies (`policies/`), see docs/handbook.md. Empty: only the articles of Relaydeck',
  ),
  DATABASE_URL: variable(
    z.string().check(z.regex(/^(postgres(ql)?:\/\/\S+)?$/)),
    '',
    '`postgres://…`; empty: SQLite in DATA_DIR',
  ),
  SQLITE_SYNC: variable(
    z.enum(['normal', 'full']),
    'normal',
    '`normal` survives a crash of the process; `full` also survives a power cut, with slower writes',
  ),
  SECRET: variable(
    z.union([z.literal(''), z.string().check(z.minLength(32))]),
    '',
    'Secret that signs tokens, 32 characters or more; the same on all replicas. Empty: generated into DATA_DIR. Lost: see below',
  ),
  SIGN_UP: variable(
    z.enum(['auto', 'open', 'invite', 'closed']),
    'auto',
    'Sign-up. `auto`: the first account, then people invited to a project, and every visitor while plans apply; `open`: every visitor; `invite`: people invited to a project, also while plans apply; `closed`: no invitations to projects. The first account of `invite` and `closed` is made by the link in the log; links of `npm start -- invite` work with each',
  ),
  BILLING: variable(
    z.enum(['', 'off', 'plans']),
    '',
    'First answer to how the server is used. `off`: for you and your team, everything included; `plans`: for customers, with plans and prices. Later the operator area changes it. Empty: choose on the page that creates the first account',
  ),
  ACCESS_TTL: variable(whole(1, 86_400), '600', 'Lifetime of an access token, seconds'),
  REFRESH_IDLE_DAYS: variable(whole(1, 3650), '30', 'Days without use after which a sign-in ends'),
  REFRESH_MAX_DAYS: variable(whole(1, 3650), '180', 'Days after which a sign-in ends in any case'),
  REFRESH_REPLAY: variable(
    whole(0, 3600),
    '120',
    'Seconds in which a refresh token returns the same pair again after a lost response, while that pair is unused',
  ),
  DASHBOARD_ORIGINS: variable(list, '', 'Other origins that serve a dashboard and to which sign-in may return'),
  BASE_URL: variable(text, '', 'API that the dashboard calls; empty: this service'),
  CONNECT_SRC: variable(
    list,
    'https: wss: http://localhost:* http://127.0.0.1:*',
    'Origins beside its own that the dashboard may connect to (CSP). `none` disables “Connect to another server”',
  ),
  LANGUAGE: variable(z.enum(['', 'en', 'ru', 'cn']), '', 'Default language of the dashboard; empty: the browser’s'),
  ALLOW_PRIVATE_DESTINATIONS: variable(
    flag,
    'off',
    '`on`: channels may send to this machine and to private networks, which lets every editor reach them',
  ),
  PLATFORM_HOSTS: variable(
    list,
    '',
    'Additional domains of platform servers, comma separated, for plans without custom addresses',
  ),
  GOOGLE_CLIENT_ID: variable(
    text,
    '',
    'Registration at Google, for YouTube and sign-in: client id. Empty: no connected accounts; channels need a stream key',
  ),
  GOOGLE_CLIENT_SECRET: variable(text, '', 'Registration at Google, for YouTube and sign-in: secret'),
  TWITCH_CLIENT_ID: variable(text, '', 'Registration at Twitch: client id'),
  TWITCH_CLIENT_SECRET: variable(text, '', 'Registration at Twitch: secret'),
  VK_CLIENT_ID: variable(text, '', 'Registration at VK (applications of the older kind): client id'),
  VK_CLIENT_SECRET: variable(text, '', 'Registration at VK (applications of the older kind): secret'),
  VK_ID_CLIENT_ID: variable(text, '', 'Registration at VK ID: client id'),
  VKVIDEOLIVE_CLIENT_ID: variable(text, '', 'Registration at VK Video Live: client id'),
  VKVIDEOLIVE_CLIENT_SECRET: variable(text, '', 'Registration at VK Video Live: secret'),
  OK_CLIENT_ID: variable(text, '', 'Registration at OK: client id'),
  OK_CLIENT_SECRET: variable(text, '', 'Registration at OK: secret'),
  TROVO_CLIENT_ID: variable(text, '', 'Registration at Trovo: client id'),
  TROVO_CLIENT_SECRET: variable(text, '', 'Registration at Trovo: secret'),
  KICK_CLIENT_ID: variable(text, '', 'Registration at Kick: client id'),
  KICK_CLIENT_SECRET: variable(text, '', 'Registration at Kick: secret. Chat needs a webhook, see below'),
  KICK_PUBLIC_KEY: variable(text, '', 'Public key of Kick, PEM with `\\n` for line breaks. Empty: the published one'),
  YOUTUBE_API_KEY: variable(
    text,
    '',
    'API key of YouTube Data API v3: reads chats of channels without a connected account. Empty: the account is required',
  ),
  YOUTUBE_QUOTA: variable(
    whole(100, 1_000_000_000),
    '10000',
    'Units of YouTube Data API that Google grants this installation a day; chat uses at most 80 %',
  ),
  OK_PUBLIC_KEY: variable(text, '', 'Registration at OK: public key of the application'),
  TELEGRAM_BOT_TOKEN: variable(
    text,
    '',
    'Bot of Telegram, from @BotFather: sign-in with Telegram, and posts of connected chats',
  ),
  TELEGRAM_BOT_NAME: variable(
    z.string().check(z.regex(/^\w*$/)),
    '',
    'Name of that bot, without `@`, for sign-in with Telegram; register the domain at @BotFather (`/setdomain`)',
  ),
  PROVIDER_BASES: variable(
    providerBases,
    '',
    'For tests: origins that replace provider hosts, `google=http://127.0.0.1:9000`, comma separated; HTTPS, or this machine',
  ),
  RELAY: variable(flag, 'on', '`off`: no relay on this machine; remote nodes (`npm run relay`) still connect'),
  RELAY_TOKEN: variable(
    text,
    '',
    'Token that authenticates relay nodes on other machines. Empty: the service accepts its own node only',
  ),
  RTMP_HOST: variable(text, '127.0.0.1', 'Address of the relay for encoders; `0.0.0.0` for encoders on other machines'),
  RTMP_PORT: variable(whole(0, 65_535), '1935', 'RTMP port of the relay for encoders'),
  RTMPS_PORT: variable(whole(0, 65_535), '1936', 'RTMPS port of the relay, used with a certificate'),
  SRT_PORT: variable(
    portOrOff,
    '9710',
    'SRT port (UDP) of the relay for encoders and players, used with ffmpeg; `off`: no SRT',
  ),
  RELAY_TLS_CERT: variable(
    text,
    '',
    'File with the certificate chain for RTMPS (PEM), reloaded when it changes. Empty: no RTMPS',
  ),
  RELAY_TLS_KEY: variable(text, '', 'File with the key of that certificate (PEM)'),
  RELAY_PUBLIC_HOST: variable(
    text,
    '',
    'Host name or address of the relay for encoders. Empty: the host of PUBLIC_URL, else RTMP_HOST; if that is `0.0.0.0`, the host of the browser’s request',
  ),
  RELAY_EGRESS_MAX: variable(
    whole(0, 1_000_000),
    '0',
    'Upload limit of the relay for channels and players together, megabits per second; 0: no limit. New outputs queue above it; live outputs are not affected',
  ),
  TRANSCODERS_MAX: variable(
    whole(0, 1000),
    '4',
    'Transcoders per project. `RELAY_TRANSCODERS` limits how many run at a time on a relay',
  ),
  CENTRIFUGO_URL: variable(
    z.union([z.literal(''), origin]),
    '',
    'Origin of a Centrifugo that replaces the built-in realtime hub, for example `http://127.0.0.1:8000`. Empty: the built-in hub',
  ),
  CENTRIFUGO_API_KEY: variable(text, '', 'Key of Centrifugo’s HTTP API. Empty: the built-in hub'),
  CENTRIFUGO_TOKEN_SECRET: variable(
    z.union([z.literal(''), z.string().check(z.minLength(16))]),
    '',
    'Secret that signs realtime tokens (HMAC), the same as in Centrifugo’s configuration, 16 characters or more. Empty: derived from SECRET',
  ),
  REALTIME_URL: variable(
    z.union([z.literal(''), socketAddress]),
    '',
    'WebSocket address of Centrifugo for browsers, for example `wss://events.example.com/connection/websocket`. Empty: `/connection/websocket` of this service',
  ),
  FFMPEG: variable(text, 'ffmpeg', 'Name or path of ffmpeg for stills, MP4 and transcoders; empty: none'),
  RECORD_LIMIT: variable(
    whole(0, 1_000_000),
    '20',
    'Recording space per project on all relay nodes, GB. A plan may give more, never less. 0: only plans with their own space record',
  ),
  STORAGE_GRACE_DAYS: variable(
    z.union([z.literal(''), whole(1, 3650)]),
    '',
    'Days after which the oldest recordings of a project that exceeds its space are deleted until it fits; owners are notified 7 days and 1 day before. Empty: nothing is deleted',
  ),
  CHAT: variable(flag, 'on', '`off`: this replica reads no chats; others do'),
  CHAT_KEEP_DAYS: variable(
    whole(1, 365),
    '30',
    'Days after which chat messages are removed; a project may choose fewer. The rules of YouTube for developers allow 30',
  ),
  METRICS_TOKEN: variable(
    z.union([z.literal(''), z.string().check(z.minLength(16))]),
    '',
    'Bearer token for `/metrics`, 16 characters or more. Empty: this machine only, and no client where PUBLIC_URL or TRUST_PROXY is set',
  ),
  SMTP_URL: variable(
    z.union([z.literal(''), mailServer]),
    '',
    'Mail server for invitations, forgotten passwords and changed e-mails, for example `smtps://user:password@mail.example.com`. Empty: the dashboard shows links to copy',
  ),
  MAIL_FROM: variable(
    text,
    '',
    'Sender of e-mails, for example `Relaydeck <relaydeck@example.com>`. Empty: the service sends no e-mail',
  ),
  RATE_LIMITS: variable(flag, 'on', '`off` for load tests only'),
  NOTIFICATIONS: variable(flag, 'on', '`off`: this process sends no notifications; another replica does'),
  LOG_LEVEL: variable(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    '`debug` logs every call',
  ),
} as const

/** Variables of payment providers. */
export const paymentVariables: Readonly<Record<string, Variable>> = Object.assign(
  {},
  ...Object.values(paySettings).map((settings) => settings.variables),
)

/** Values of the environment variables. */
export type Config = ReadVariables<typeof variables> & {
  /** Account at each payment provider by its name; null: not configured. */
  readonly payAccounts: Readonly<Record<string, unknown>>
}

/**
 * Reads the configuration.
 * @example readConfig(process.env)
 * @throws ConfigError for the first variable that cannot be read, for a mail server without PUBLIC_URL, and for an
 *   account of a payment provider that is not complete
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config = readVariables(variables, env)
  if (config.SMTP_URL !== '' && config.MAIL_FROM !== '' && config.PUBLIC_URL === '')
    throw new ConfigError(
      'PUBLIC_URL must be set when SMTP_URL and MAIL_FROM are: e-mails contain links, and their host must not come from a request. Set it to the origin that people reach the service under.',
    )
  const values = { ...readVariables(paymentVariables, env), PUBLIC_URL: config.PUBLIC_URL }
  const accounts = Object.entries(paySettings).map(([name, settings]) => [name, settings.accountOf(values)])
  return { ...config, payAccounts: Object.fromEntries(accounts), DATA_DIR: resolve(config.DATA_DIR) }
}
