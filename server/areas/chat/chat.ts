// Chat keys over HTTP.
import { chat } from '#contract/areas/chat/chat.ts'
import { implement } from '#server/core/implement.ts'
import { readChatKey } from '#server/domain/realtime/chat-keys.ts'

export const chatRoutes = implement(chat, {
  key: async ({ project_id }, ctx) => ({ key: await readChatKey(ctx, project_id) }),
})
