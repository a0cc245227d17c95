// Films of tests, as uploads and relay nodes leave them.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from '#server/core/context.ts'
import { insertMedia, type MediaRow } from '#server/domain/media/store.ts'
import { transaction } from '#server/db/transaction.ts'
import { mediaFolder } from '#server/storage/place.ts'

/** Adds a film to a project: ready and with a file in the folder of media, unless `about` has another state. */
export function addSomeFilm(
  { db, clock, config }: Pick<Services, 'clock' | 'config' | 'db'>,
  projectId: number,
  about: Partial<MediaRow> = {},
): Promise<MediaRow> {
  const isReady = (about.state ?? 'ready') === 'ready'
  const file = isReady ? `${randomBytes(16).toString('hex')}.mp4` : ''
  const media = mediaFolder(config)
  if (isReady && media !== null) {
    const folder = join(media, 'masters')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, file), 'film')
  }
  return transaction(db, (trx) =>
    insertMedia(trx, {
      project_id: projectId,
      kind: 'film',
      state: 'ready',
      name: 'Trailer',
      file,
      content_type: 'video/mp4',
      bytes: 12_000_000,
      width: 1920,
      height: 1080,
      duration_ms: 90_000,
      date_create: clock.now().toISOString(),
      ...about,
    }),
  )
}
