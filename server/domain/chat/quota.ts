// Quota of YouTube in the abilities of chats.
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import type { Services } from '#server/core/context.ts'
import { chatOf } from './capabilities-table.ts'
import { youtubeQuotaLeft } from '#server/domain/platforms/quota.ts'

/** Adds what is left of the installation's quota to the rows of YouTube that can be read. */
export async function withQuota(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  rows: readonly ChatCapability[],
): Promise<ChatCapability[]> {
  const isUsed = ({ platform, read }: ChatCapability) => chatOf(platform)?.quota === true && read
  if (!rows.some(isUsed)) return [...rows]
  const quota = await youtubeQuotaLeft(services)
  return rows.map((row) => (isUsed(row) ? { ...row, quota } : row))
}
