// Media files of a project.

/** Limits of media files. */
export const mediaLimits = {
  /** Largest picture, bytes. */
  bytes: 5 * 1024 * 1024,
  /** Longest side of a picture, pixels. */
  side: 4_096,
  /** Files of a project. */
  files: 10,
  name: 255,
} as const

/** When a file is shown (published): while the encoder is lost, or in a pause. */
export const mediaUses = ['pause', 'lost'] as const
export type MediaUse = (typeof mediaUses)[number]
