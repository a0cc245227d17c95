// Commands for chats at platforms: loads the platform, limits the time, converts unexpected failures.
import { ChatSendError } from '#server/core/chat-errors.ts'
import type { ChatControl, ChatPlace } from '#server/core/chat.ts'
import type { ChatContext, ChatServices, ChatSource, ChatSources } from './port.ts'

const timeoutMs = 15_000

type Command = 'send' | 'remove' | 'restrict' | 'lift'

/** Creates the commands. `services` is read at the first command, so that it may hold the result of this function. */
export function createChatCommands(services: () => ChatServices, sources: ChatSources): Omit<ChatControl, 'wake'> {
  async function run<T>(
    place: ChatPlace,
    name: Command,
    command: (source: ChatSource, ctx: ChatContext) => Promise<T> | undefined,
  ): Promise<T> {
    const source = await sources[place.platform]?.()
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const done = source && command(source, { services: services(), place, signal })
      if (!done) throw new ChatSendError('unsupported', 'The platform has no such command.')
      return await Promise.race([done, rejected(signal)])
    } catch (error) {
      if (error instanceof ChatSendError) throw error
      services().log.warn({ err: error, platform: place.platform, command: name }, 'A command of a chat failed')
      throw new ChatSendError('unknown', 'The platform did not answer. The outcome is unknown.')
    }
  }

  return {
    send: (place, message) => run(place, 'send', (source, ctx) => source.send?.(ctx, message)),
    remove: (place, id) => run(place, 'remove', (source, ctx) => source.remove?.(ctx, id)),
    restrict: (place, id, seconds) => run(place, 'restrict', (source, ctx) => source.restrict?.(ctx, id, seconds)),
    lift: (place, id, liftId) => run(place, 'lift', (source, ctx) => source.lift?.(ctx, id, liftId)),
  }
}

const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
