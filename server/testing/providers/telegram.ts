// Test double of Telegram's Bot API (core.telegram.org/bots/api): one bot, one chat, and its posts.
import { DoubleReply, type DoublePlatform } from './double.ts'

const token = '123:bot'
const chat = { id: -1_001_234_567_890, type: 'channel', title: 'Ann on air', username: 'annlive' }

/** Starts the double, with functions that post to the chat. */
export function telegramDouble(): {
  readonly platform: DoublePlatform
  readonly post: (message: Readonly<Record<string, unknown>>) => void
} {
  const updates: { readonly update_id: number }[] = []
  const route = (answer: DoublePlatform['routes'][string]['answer']) => ({ answer })
  return {
    post: (message) =>
      updates.push({ update_id: 100 + updates.length, channel_post: { chat, date: 1, ...message } } as never),
    platform: {
      // The token is part of the path.
      tokenOf: () => token,
      unauthorized: new DoubleReply(401, { ok: false, error_code: 401, description: 'Unauthorized' }),
      routes: {
        [`POST api.telegram.org/bot${token}/getMe`]: route(() => ({
          ok: true,
          result: { id: 123, is_bot: true, first_name: 'Relaydeck', username: 'relaydeck_bot' },
        })),
        [`POST api.telegram.org/bot${token}/getUpdates`]: route(({ body }) => ({
          ok: true,
          result: updates.filter(({ update_id }) => update_id >= Number(body['offset'] ?? 0)),
        })),
      },
    },
  }
}
