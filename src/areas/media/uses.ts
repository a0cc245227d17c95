// What shows a file in the place of the encoder.
import type { StreamKey } from '#contract/areas/ingest/stream-keys.ts'
import type { MediaUse } from '#contract/entities/media.ts'

/** Returns the media file that is chosen for a use; null: none, or unknown. */
export const chosenFor = (streamKey: StreamKey | undefined, use: MediaUse): number | null =>
  (use === 'lost' ? streamKey?.lost_media_service_file_id : streamKey?.pause_media_service_file_id) ?? null

/** Returns the uses that a file is chosen for. */
export const usesOf = (streamKey: StreamKey | undefined, id: number): MediaUse[] =>
  (['lost', 'pause'] as const).filter((use) => chosenFor(streamKey, use) === id)
