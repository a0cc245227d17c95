// The starred message of a broadcast: overlays show it until it is cleared.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { chat } from '#contract/areas/chat/chat.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { q, useWrite } from '#src/api/query.ts'
import { type Capabilities, changeKnown, type ChatBy, withKey } from './use-chat.ts'

/** The star, and a function that moves it. */
export interface Star {
  /** Id of the starred message. */
  readonly id: string | null
  /** The starred message, once it is loaded. */
  readonly message: ChatMessage | null
  /** Stars a message; null clears the star. */
  readonly set: (
    eventId: string | null,
    then: { readonly onSuccess: () => void; readonly onError: (error: unknown) => void },
  ) => void
}

/** Returns the star of the current broadcast. */
export function useStar(by: ChatBy, { broadcast_id, starred: id }: Capabilities): Star {
  const queries = useQueryClient()
  const write = useWrite(moderate.star)
  const which = { ...withKey(by), broadcast_id: broadcast_id ?? 0 }
  const message = useQuery({ ...q(chat.message, { ...which, event_id: id ?? '' }), enabled: Boolean(id) }).data
  return {
    id,
    message: id !== null && message?.event_id === id && !message.deleted && !message.hidden ? message : null,
    set: (eventId, { onSuccess, onError }) =>
      write.mutate(
        { ...which, ...(eventId !== null && { event_id: eventId }) },
        {
          onError,
          onSuccess: ({ star_rev }) => {
            // An older number than a publication's is ignored by the query.
            changeKnown(queries, by, broadcast_id, { starred: eventId, star_rev })
            onSuccess()
          },
        },
      ),
  }
}
