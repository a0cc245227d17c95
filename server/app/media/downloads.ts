// Downloads of stored files: their number for each project, and their end when their user loses the right.
import type { Readable } from 'node:stream'
import type { Services } from '#server/core/context.ts'
import { AppError, NotFoundError } from '#server/core/errors.ts'
import { mayWatch } from '#server/domain/projects/access.ts'

/** Interval of the check of a download's session, milliseconds: a file may take hours. */
const checkMs = 5_000

export interface Downloads {
  /**
   * Begins a download.
   * @param read opens the file
   * @throws AppError 503 above the limit of the project, and while the store is away; NotFoundError when the file cannot be read
   */
  begin(by: Parameters<typeof mayWatch>[1], read: () => Promise<Readable>): Promise<Readable>
}

/** @param most concurrent downloads of a project */
export function createDownloads(services: Services, most: number): Downloads {
  const running = new Map<number, number>()
  const count = (projectId: number, step: number) => {
    const next = (running.get(projectId) ?? 0) + step
    if (next > most) throw new AppError(503, 'TooManyDownloads')
    if (next > 0) running.set(projectId, next)
    else running.delete(projectId)
  }
  return {
    async begin(by, read) {
      const { projectId } = by
      count(projectId, 1)
      const body = await read().catch((error: unknown) => {
        count(projectId, -1)
        return refuseUnread(error)
      })
      const timer = setInterval(() => {
        mayWatch(services, by).then(
          (may) => may || body.destroy(),
          () => undefined,
        )
      }, checkMs)
      body.once('close', () => {
        clearInterval(timer)
        count(projectId, -1)
      })
      return body
    },
  }
}

/** @throws AppError of a store that is away; NotFoundError for every other reason why a file cannot be read */
export function refuseUnread(error: unknown): never {
  throw error instanceof AppError ? error : new NotFoundError('NoFile')
}
