// The starred message of a chat: overlays show it until it is cleared.

/** The star of a broadcast. */
export interface StarState {
  /** Id of the starred message; null: none. */
  readonly starred: string | null
  /** Number of its last change. */
  readonly star_seq: number
}

/** The star before any answer. */
export const noStar: StarState = { starred: null, star_seq: 0 }

/** The parts of a chat change that concern the star. */
interface Change {
  readonly action: string
  readonly event_id?: string | null
  readonly star_seq?: number
}

/** Returns the star after changes of a chat: an older change is ignored, and the deletion of the message clears it. */
export const starAfter = (star: StarState, changes: readonly Change[]): StarState =>
  changes.reduce((known, { action, event_id = null, star_seq = known.star_seq }) => {
    if (action === 'starred') return star_seq < known.star_seq ? known : { starred: event_id, star_seq }
    return action === 'deleted' && event_id !== null && event_id === known.starred ? { ...known, starred: null } : known
  }, star)
