// Ranks of what sends to a project.
import type { PublishRequest } from './publication.ts'

/** The highest first. A play is scheduled files that the node itself sends. */
export const ranks = ['main', 'backup', 'play'] as const
export type Rank = (typeof ranks)[number]

/** Returns the rank of an encoder, or of a play. */
export const rankOf = ({ isBackup, play }: Pick<PublishRequest, 'isBackup' | 'play'>): Rank =>
  play !== undefined ? 'play' : isBackup ? 'backup' : 'main'

export const isHigher = (one: Rank, other: Rank): boolean => ranks.indexOf(one) < ranks.indexOf(other)
