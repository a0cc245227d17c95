// Kinds of the jobs of films; server/app/jobs runs them. The key is the number of the film.

/** Has a relay node prepare a film. */
export const prepareKind = { kind: 'media.prepare' } as const
/** Removes files that a film does not need any more, and the row of a deleted one. */
export const cleanKind = { kind: 'media.clean' } as const
/** Cancels an upload that nothing continues. */
export const expireKind = { kind: 'media.expire' } as const
