// Media files of a project: pictures, and films, which are uploaded in parts and prepared by a relay node.

/** Limits of media files. */
export const mediaLimits = {
  /** Largest picture, bytes. */
  bytes: 5 * 1024 * 1024,
  /** Longest side of a picture, pixels. */
  side: 4_096,
  /** Pictures of a project. */
  files: 10,
  /** Films of a project. */
  films: 1_000,
  name: 255,
  /** Longest film in the place of the encoder, milliseconds. */
  slateMs: 300_000,
  /** Longest film, milliseconds. */
  filmMs: 12 * 3_600_000,
  /** Longest side of a film that is uploaded, pixels; and its area. */
  filmSide: 8_192,
  filmPixels: 8_192 * 4_320,
} as const

/** When a file is shown (published): while the encoder is lost, or in a pause. */
export const mediaUses = ['pause', 'lost'] as const
export type MediaUse = (typeof mediaUses)[number]

/** Servers with room for a film, where not all have it. */
export const serversForFilm = ['some', 'none'] as const
export type ServersForFilm = (typeof serversForFilm)[number]

export const mediaKinds = ['picture', 'film'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** Status of a file (published). */
export const mediaStatuses = ['processing', 'success', 'cancel', 'error'] as const
export type MediaStatus = (typeof mediaStatuses)[number]

/** Step of a film that is being processed. `waiting`: for a relay node that prepares it. */
export const mediaSteps = ['uploading', 'waiting', 'preparing'] as const
export type MediaStep = (typeof mediaSteps)[number]

/**
 * Why a film failed. `unreadable`: no film that is read here. `no-video`: it has no picture. `too-large`: more pixels than allowed.
 * `too-long`: longer than allowed. `too-costly`: its preparation took more time or memory than allowed. `no-space`: the prepared film
 * does not fit into the space. `missing`: its file is gone.
 */
export const mediaErrors = [
  'unreadable',
  'no-video',
  'too-large',
  'too-long',
  'too-costly',
  'no-space',
  'missing',
] as const
export type MediaError = (typeof mediaErrors)[number]

/** Recordings are videos with the number of the recording above this one. */
export const recordingVideoBase = 1_000_000_000

/** Header with the ticket of an upload. */
export const uploadTicketHeader = 'upload-ticket'
/** Path of uploads by tus 1.0, below the root of the service. */
export const uploadsPath = '/uploads'
