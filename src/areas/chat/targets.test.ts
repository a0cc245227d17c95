import { expect, test } from 'vitest'
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { withChat } from './targets.ts'

test('leaves out addresses without a platform, and keeps platforms without access to their chat', () => {
  const rows = ['twitch', 'custom', 'instagram', 'srt'].map((platform) => ({ platform }) as ChatCapability)
  expect(withChat(rows).map(({ platform }) => platform)).toEqual(['twitch', 'instagram'])
})
