// Client of the Telegram Bot API (core.telegram.org/bots/api) for the service's bot, by grammY, which is loaded with the first call.
import type { Api } from 'grammy'
import * as z from 'zod/mini'
import type { Services } from './context.ts'
import { RuleError } from './errors.ts'
import { ProviderRefusedError, ProviderUnavailableError, providerUrl } from './provider-http.ts'
import type { Settings } from './settings.ts'
import { env, orNull, settings, anyText } from './variables.ts'

export const telegramSettings = settings({
  /** Token of the bot that reads Telegram chats; null without one. */
  telegramBotToken: env(
    'TELEGRAM_BOT_TOKEN',
    anyText,
    '',
    'Bot of Telegram, from @BotFather: sign-in with Telegram, and posts of connected chats',
    orNull,
  ),
  /** Empty: not configured, which disables sign-in with Telegram. */
  telegramBotName: env(
    'TELEGRAM_BOT_NAME',
    z.string().check(z.regex(/^\w*$/)),
    '',
    'Name of that bot, without `@`, for sign-in with Telegram; register the domain at @BotFather (`/setdomain`)',
  ),
})

/** Longer than a `getUpdates` call waits, seconds. */
const timeoutSeconds = 65
/** Longest wait that an answer may demand, seconds. */
const retryAfterMax = 86_400

/** The Bot API refused a call. */
export class BotRefusedError extends ProviderRefusedError {
  /** `error_code`: 400 request, 401 token, 403 blocked or removed, 409 another consumer, 429 too many calls. */
  readonly code: number
  /** Seconds until the call may be repeated, with 429. */
  readonly retryAfter: number | null
  /** `description` of the Bot API. */
  readonly description: string
  constructor(code: number, description: string, retryAfter: number | null) {
    super('telegram', code, description)
    this.code = code
    this.retryAfter = retryAfter !== null && retryAfter >= 0 ? Math.min(retryAfter, retryAfterMax) : null
    this.description = description
  }
}

/** A command in a private chat with the bot. */
export interface BotCommand {
  /** `stop` also stands for a user that blocks the bot. */
  readonly command: 'start' | 'stop'
  /** Text after the command, for example the token of `t.me/<bot>?start=<token>`; empty without one. */
  readonly argument: string
  /** Id of the private chat, which is the id of the user. */
  readonly chatId: string
  /** First and last name of the user. */
  readonly name: string
  /** User name without `@`; empty without one. */
  readonly login: string
  /** IETF tag of the user's language; empty when unknown. */
  readonly language: string
}

/** Handles a command. Called at least once for each. @returns the bot's reply */
export type BotCommandHandler = (services: Services, command: BotCommand) => Promise<string>

/** Returns the token of the bot. @throws RuleError `ProviderNotConfigured` */
export function needBot({ telegramBotToken: token }: Pick<Settings, 'telegramBotToken'>): string {
  if (token !== null) return token
  throw new RuleError('ProviderNotConfigured_bot', { provider: 'telegram' })
}

const apis = new WeakMap<Settings, Promise<Api>>()

/**
 * Calls the Bot API.
 * @param call receives the API of grammY, and the signal for the call
 * @throws RuleError `ProviderNotConfigured`, BotRefusedError, ProviderUnavailableError on network failures and 5xx: the outcome is unknown
 * @example await callBot(services, (api) => api.sendMessage(chatId, text))
 */
export async function callBot<T>({ config }: Pick<Services, 'config'>, call: (api: Api) => Promise<T>): Promise<T> {
  const token = needBot(config)
  const { GrammyError } = await import('grammy')
  try {
    return await call(await apiOf(config, token))
  } catch (error) {
    // Errors of the network layer are dropped: they contain the URL, and with it the token.
    if (!(error instanceof GrammyError) || !(error.error_code < 500)) throw new ProviderUnavailableError('telegram')
    const { error_code, description, parameters } = error
    throw new BotRefusedError(error_code, description.slice(0, 200), parameters.retry_after ?? null)
  }
}

function apiOf(config: Settings, token: string): Promise<Api> {
  const known = apis.get(config)
  if (known) return known
  const apiRoot = providerUrl(config, 'telegram', 'https://api.telegram.org').replace(/\/$/, '')
  const api = import('grammy').then((grammy) => new grammy.Api(token, { apiRoot, timeoutSeconds }))
  apis.set(config, api)
  return api
}

/** Converts a signal to the type that grammY declares; both are the same class. */
export const botSignal = (signal: AbortSignal) => signal as NonNullable<Parameters<Api['getUpdates']>[1]>
