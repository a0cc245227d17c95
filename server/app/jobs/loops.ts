// Loops of the service that are not jobs.
import type { Services } from '#server/core/context.ts'
import type { OnFailed } from '#server/delivery/outbox.ts'
import { answerBotCommand } from '#server/domain/notifications/telegram-link.ts'
import { readTelegramUpdates } from '#server/app/telegram/updates.ts'
import { watchOutbox } from './outbox.ts'

/**
 * Starts the loops.
 * @param onFailed reports deliveries of notifications that failed for good
 * @returns a function that stops them and waits for the running rounds
 */
export function startLoops(services: Services, onFailed: OnFailed = () => undefined): () => Promise<void> {
  const stops = [watchOutbox(services, onFailed), readTelegramUpdates(services, answerBotCommand)]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}
