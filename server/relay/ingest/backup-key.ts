// Key of a backup encoder: the stream key with a suffix.
import { backupSuffix } from '#contract/entities/ingest.ts'
import type { PublishRequest } from './publication.ts'

/** Returns the stream key in the key that an encoder sends, and whether the encoder is a backup. */
export function keyOf({
  key,
  isBackup = false,
}: Pick<PublishRequest, 'key' | 'isBackup'>): Required<Pick<PublishRequest, 'key' | 'isBackup'>> {
  if (!key.endsWith(backupSuffix)) return { key, isBackup }
  return { key: key.slice(0, -backupSuffix.length), isBackup: true }
}
