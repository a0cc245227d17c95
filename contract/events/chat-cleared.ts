// Which messages a `cleared` change deletes. Without schemas: small pages import it.

/** A `cleared` change: all messages of an author at a restream; `sender_id` null: all messages there. */
export interface Cleared {
  readonly restream_id: number
  readonly sender_id: string | null
}

interface Message {
  readonly is_outgoing: boolean
  readonly restreams: readonly { readonly restream_id: number }[]
  readonly sender: { readonly id: string }
}

/** Returns whether the change deletes a message that was published before it. Messages sent from here stay. */
export const isCleared = ({ is_outgoing, restreams, sender }: Message, { restream_id, sender_id }: Cleared): boolean =>
  !is_outgoing &&
  restreams.some((one) => one.restream_id === restream_id) &&
  (sender_id === null || sender.id === sender_id)
