// Papers of a month as ZIP files, opened by ticket.
import * as z from 'zod/mini'
import type { PaperArchives } from '#contract/entities/paper-archives.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { ticketsOf } from '#server/core/tickets.ts'
import type { ReadDb } from '#server/db/open.ts'
import { mayOperate, mayWatch } from '#server/domain/projects/access.ts'
import type { Paper } from './paper.ts'
import { paperOf } from './papers.ts'
import { listMonths, listOfMonth } from './store.ts'

/** Papers of a file: each is made in 0.1 s when it is opened for the first time. */
const archiveMax = 2_000

/** Permission to open one archive. */
const ArchiveOpening = z.object({
  /** null: papers of all projects, for operators. */
  projectId: z.nullable(z.int()),
  sessionId: z.int(),
  month: z.string(),
  part: z.int(),
  language: z.enum(['en', 'ru', 'cn']),
})
export type ArchiveOpening = z.output<typeof ArchiveOpening>

/** Tickets of archives, good for ten minutes. */
export const archiveTickets = ticketsOf<ArchiveOpening>('paper archive ticket', ArchiveOpening, 600_000)

/** Returns the archives of a project, or of the installation, with their addresses. */
export async function getArchives(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  reader: Pick<ArchiveOpening, 'projectId' | 'sessionId' | 'language'>,
): Promise<PaperArchives> {
  const months = await listMonths(services.db, reader.projectId)
  const results = months.flatMap(({ month, papers }) => {
    const parts = Math.ceil(papers / archiveMax)
    return Array.from({ length: parts }, (_, at) => {
      const opening = { ...reader, month, part: at + 1 }
      const ticket = encodeURIComponent(archiveTickets.issue(services, opening).ticket)
      return {
        month,
        part: opening.part,
        parts,
        papers: Math.min(archiveMax, papers - at * archiveMax),
        url: `/papers/archives/${archiveName(opening)}?ticket=${ticket}`,
      }
    })
  })
  const { until } = archiveTickets.issue(services, { ...reader, month: '', part: 0 })
  return { results, expires_at: iso(until) }
}

/** File name of an archive. @example papers-7-2026-11.zip, papers-2026-11-2.zip */
export const archiveName = ({ projectId, month, part }: ArchiveOpening): string =>
  `${['papers', ...(projectId === null ? [] : [projectId]), month, ...(part === 1 ? [] : [part])].join('-')}.zip`

/** Returns whether the session of a ticket may still read the papers. */
export const mayOpenArchive = (
  services: Pick<Services, 'db' | 'clock'>,
  { projectId, sessionId }: ArchiveOpening,
): Promise<boolean> =>
  projectId === null ? mayOperate(services, { sessionId }) : mayWatch(services, { sessionId, projectId })

/** A paper of an archive, with its project. */
export interface ArchivedPaper extends Paper {
  readonly projectId: number
}

/** Returns the papers of an archive in order of issue. */
export async function listArchived(
  db: ReadDb,
  { projectId, month, part }: ArchiveOpening,
): Promise<readonly ArchivedPaper[]> {
  const window = { limit: archiveMax, offset: (part - 1) * archiveMax }
  const rows = await listOfMonth(db, projectId, month, window)
  return rows.map((row) => ({ ...paperOf(row), projectId: row.project_id }))
}
