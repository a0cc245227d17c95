// The starred message of a chat: overlays show it until it is cleared.

/** The parts of a chat change that concern the star. */
interface Change {
  readonly action: string
  readonly event_id?: string | null
}

/**
 * Returns the id of the starred message after changes of a chat; null: none.
 * @param id of the message that was starred before; its deletion clears the star
 */
export const starAfter = (id: string | null, changes: readonly Change[]): string | null =>
  changes.reduce<string | null>((known, { action, event_id = null }) => {
    if (action === 'starred') return event_id
    return action === 'deleted' && event_id === known ? null : known
  }, id)
