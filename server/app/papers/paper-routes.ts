// Papers as pages and PDF files: no operations, because they are no JSON; a ticket in the address opens one of them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { RetryLaterError, UnauthorizedError } from '#server/core/errors.ts'
import {
  type ArchiveOpening,
  archiveName,
  archiveTickets,
  listArchived,
  mayOpenArchive,
} from '#server/domain/billing/papers/archives.ts'
import { getPaper, paperTickets } from '#server/domain/billing/papers/papers.ts'
import { mayWatch } from '#server/domain/projects/access.ts'
import { paperArchive } from './paper-archive.ts'
import { paperPage, paperPolicy, paperView } from './paper-page.ts'
import { createPaperFiles, type PaperFiles } from './paper-files.ts'

interface PaperRoute {
  readonly Params: { readonly name: string }
  readonly Querystring: { readonly ticket?: string }
}

/** Archives that are sent at the same time: each makes PDFs. */
const archivesMax = 4
const retrySeconds = 30

/** Serves `/papers/<number>.html`, `/papers/<number>.pdf` and `/papers/archives/<name>.zip`. */
export function servePapers(app: FastifyInstance, services: Services): void {
  const files = createPaperFiles(services)
  serveArchives(app, services, files)
  app.get<PaperRoute>('/papers/:name', { config: { operation: 'paper' } }, async (request, reply) => {
    const { paper, language } = await getOpening(request)
    const name = request.params.name
    void reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
    if (name === `${paper.number}.pdf`) {
      const pdf = await files.get(paperView(paper, language === 'cn' ? 'en' : language))
      return reply.type('application/pdf').header('content-disposition', `inline; filename="${name}"`).send(pdf)
    }
    const address = `/papers/${paper.number}.pdf?ticket=${encodeURIComponent(String(request.query.ticket))}`
    void reply.headers({ 'content-security-policy': paperPolicy, 'x-frame-options': 'DENY' })
    return reply.type('text/html; charset=utf-8').send(paperPage(paperView(paper, language), address))
  })

  /** @throws UnauthorizedError without a ticket for this paper, or when its owner has left the project */
  async function getOpening(request: FastifyRequest<PaperRoute>) {
    const opening = paperTickets.read(services, String(request.query.ticket))
    if (!opening || !(await mayWatch(services, opening))) throw refused()
    const paper = await getPaper(services.db, opening.projectId, opening.id)
    if (![`${paper.number}.html`, `${paper.number}.pdf`].includes(request.params.name)) throw refused()
    return { paper, language: opening.language }
  }
}

/** Serves the ZIP files of months. */
function serveArchives(app: FastifyInstance, services: Services, files: PaperFiles): void {
  let running = 0
  const config = { operation: 'paperArchive' }
  // No HEAD: it would make every PDF and send none.
  app.get<PaperRoute>('/papers/archives/:name', { config, exposeHeadRoute: false }, async (request, reply) => {
    const opening = archiveTickets.read(services, String(request.query.ticket))
    if (!opening || request.params.name !== archiveName(opening) || !(await mayOpenArchive(services, opening)))
      throw refused()
    if (running >= archivesMax) throw new RetryLaterError(503, 'TooManyPapers', retrySeconds)
    running += 1
    const archive = await archiveOf(opening).catch((error: unknown) => {
      running -= 1
      throw error
    })
    archive.once('close', () => void (running -= 1))
    void reply.headers({
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${archiveName(opening)}"`,
      'referrer-policy': 'no-referrer',
    })
    return reply.type('application/zip').send(archive)
  })

  async function archiveOf(opening: ArchiveOpening) {
    const papers = await listArchived(services.db, opening)
    const mayContinue = () => mayOpenArchive(services, opening)
    return paperArchive(papers, { files, language: opening.language, mayContinue })
  }
}

const refused = () => new UnauthorizedError('Unauthorized_ticket')
