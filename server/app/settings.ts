// Settings for handlers and rules: the configuration with the secret and the release.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '#server/core/root.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Config } from './config.ts'
import { cannotStart } from '#server/app/start/start-error.ts'

/** Creates the settings of a service. */
export const settingsOf = (config: Config): Settings => ({
  publicUrl: config.PUBLIC_URL === '' ? null : config.PUBLIC_URL,
  dashboardOrigins: config.DASHBOARD_ORIGINS,
  dataDir: config.DATA_DIR,
  contentDir: config.CONTENT_DIR === '' ? null : resolve(config.CONTENT_DIR),
  signUp: config.SIGN_UP,
  accessSeconds: config.ACCESS_TTL,
  refreshIdleDays: config.REFRESH_IDLE_DAYS,
  refreshMaxDays: config.REFRESH_MAX_DAYS,
  refreshReplayMs: config.REFRESH_REPLAY * 1000,
  allowPrivateDestinations: config.ALLOW_PRIVATE_DESTINATIONS,
  platformHosts: config.PLATFORM_HOSTS.map((host) => host.toLowerCase()),
  providers: {
    google: registration(config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET),
    twitch: registration(config.TWITCH_CLIENT_ID, config.TWITCH_CLIENT_SECRET),
    vk: registration(config.VK_CLIENT_ID, config.VK_CLIENT_SECRET),
    // Its applications have a secret, and PKCE stands in for it.
    'vk-id': config.VK_ID_CLIENT_ID === '' ? null : { id: config.VK_ID_CLIENT_ID, secret: '' },
    vkvideolive: registration(config.VKVIDEOLIVE_CLIENT_ID, config.VKVIDEOLIVE_CLIENT_SECRET),
    ok: config.OK_PUBLIC_KEY === '' ? null : registration(config.OK_CLIENT_ID, config.OK_CLIENT_SECRET),
    trovo: registration(config.TROVO_CLIENT_ID, config.TROVO_CLIENT_SECRET),
    kick: registration(config.KICK_CLIENT_ID, config.KICK_CLIENT_SECRET),
  },
  kickPublicKey:
    config.KICK_PUBLIC_KEY === '' ? kickPublicKey : config.KICK_PUBLIC_KEY.replaceAll(String.raw`\n`, '\n'),
  isKickKeyFixed: config.KICK_PUBLIC_KEY !== '',
  youtubeApiKey: config.YOUTUBE_API_KEY === '' ? null : config.YOUTUBE_API_KEY,
  youtubeQuota: config.YOUTUBE_QUOTA,
  okPublicKey: config.OK_PUBLIC_KEY,
  providerBases: new Map(config.PROVIDER_BASES),
  telegramBotToken: config.TELEGRAM_BOT_TOKEN === '' ? null : config.TELEGRAM_BOT_TOKEN,
  recordLimitGb: config.RECORD_LIMIT,
  chatKeepDays: config.CHAT_KEEP_DAYS,
  storageGraceDays: config.STORAGE_GRACE_DAYS === '' ? null : config.STORAGE_GRACE_DAYS,
  telegramBotName: config.TELEGRAM_BOT_NAME,
  transcodersMax: config.TRANSCODERS_MAX,
  sendsNotifications: config.NOTIFICATIONS,
  mail:
    config.SMTP_URL === '' || config.MAIL_FROM === ''
      ? null
      : { server: config.SMTP_URL, from: config.MAIL_FROM, origin: config.PUBLIC_URL },
  payAccounts: config.payAccounts,
  centrifugo: {
    // Both are required.
    url: config.CENTRIFUGO_URL === '' || config.CENTRIFUGO_API_KEY === '' ? null : config.CENTRIFUGO_URL,
    apiKey: config.CENTRIFUGO_API_KEY,
    tokenSecret: config.CENTRIFUGO_TOKEN_SECRET,
  },
  secret: derivedKey(config.SECRET === '' ? generatedSecret(config.DATA_DIR) : config.SECRET, 'root'),
  release: currentRelease(),
})

/** Published at docs.kick.com/events/webhook-security. */
const kickPublicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq/+l1WnlRrGSolDMA+A8
6rAhMbQGmQ2SapVcGM3zq8ANXjnhDWocMqfWcTd95btDydITa10kDvHzw9WQOqp2
MZI7ZyrfzJuz5nhTPCiJwTwnEtWft7nV14BYRDHvlfqPUaZ+1KR4OCaO/wWIk/rQ
L/TjY0M70gse8rlBkbo2a8rKhu69RQTRsoaf4DVhDPEeSeI5jVrRDGAMGL3cGuyY
6CLKGdjVEM78g3JfYOvDU/RvfqD7L89TZ3iN94jrmWdGz34JNlEI5hqK8dd7C5EF
BEbZ5jgB8s8ReQV8H+MkuffjdAj3ajDDX3DOJMIut1lBrUVD1AaSrGCKHooWoL2e
twIDAQAB
-----END PUBLIC KEY-----`

/** Both values are required. */
const registration = (id: string, secret: string) => (id === '' || secret === '' ? null : { id, secret })

/** Returns the secret of this installation, generated once; readable by its owner only. */
function generatedSecret(folder: string): string {
  const file = join(folder, 'secret')
  try {
    // Another replica may create it concurrently: the first one wins.
    if (!existsSync(file)) writeNew(file, randomBytes(32).toString('base64url'))
    return readFileSync(file, 'utf8')
  } catch (error) {
    return cannotStart(`The secret ${file} of DATA_DIR cannot be used`)(error as NodeJS.ErrnoException)
  }
}

function writeNew(file: string, content: string): void {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const top = (name: string): string => readFileSync(join(root, name), 'utf8')

/** Version from package.json, midnight UTC of the date in its changelog entry; empty before there is an entry. */
function currentRelease(): Settings['release'] {
  const { version } = JSON.parse(top('package.json')) as { version: string }
  const date = top('CHANGELOG.md')
    .split('\n')
    .find((line) => line.startsWith('## ') && line.includes(version))
    ?.match(/\d{4}-\d{2}-\d{2}/)?.[0]
  return { version, date: date === undefined ? '' : `${date}T00:00:00.000Z` }
}
