// Messages of a broadcast as analytics lists them: a row per message and restream.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { listPage } from './list.ts'
import { presentMessages } from './present.ts'

const newest = 500

/** A message at one restream: received (`got`), taken by the platform (`delivered`), or sent without an outcome (`create`). */
export interface Transfer {
  readonly timestamp: string
  readonly entities: ChatMessage['entities']
  readonly restream_id: number
  readonly broadcast_id: number
  readonly platform: string
  readonly error?: string
  readonly action: 'delivered' | 'got' | 'create'
}

/** Returns the newest visible messages of a broadcast, oldest first: at most 500, and 1 MB. */
export async function listTransfers(
  services: Reading<Pick<Services, 'db' | 'clock'>>,
  broadcastId: number,
): Promise<Transfer[]> {
  const { rows } = await listPage(services.db, broadcastId, { limit: newest, hidden: false })
  return (await presentMessages(services, services.db, rows)).flatMap((message) =>
    message.restreams.map(({ restream_id, platform, created_at, state, error }): Transfer => {
      const sent = state === 'delivered' ? 'delivered' : 'create'
      return {
        timestamp: created_at,
        entities: message.entities,
        restream_id,
        broadcast_id: message.broadcast_id,
        platform,
        action: message.is_outgoing ? sent : 'got',
        ...(error === undefined ? {} : { error }),
      }
    }),
  )
}
