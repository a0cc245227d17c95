// Finds the pages that a server with a part of the contract has no operation for. Loads for such servers only.
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { articles } from '#contract/areas/help/articles.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'
import { setAbsentPages } from '#src/stores/absent.ts'

/** The read that pages begin with, and the keys of these pages in the navigation, with spaces between; of a line of plans, its name. */
const reads = (project_id: number) =>
  [
    [q(broadcasts.status, { project_id }), 'home'],
    [q(broadcasts.list, { project_id, limit: 1, order: 'desc' }), 'broadcasts'],
    [q(channels.search, { project_id, limit: 100 }), 'channels'],
    [q(streamKeys.get, { project_id }), 'ingest'],
    [q(mediaFiles.list, { project_id }), 'media'],
    [q(chat.capabilities, { project_id }), 'chat'],
    [q(analytics.broadcasts, { project_id, limit: 1 }), 'analytics'],
    [q(restream.slots, { project_id }), 'plans restream'],
    [q(projects.info, { project_id }), 'billing project'],
    [q(transcoding.slots, { project_id }), 'transcoding'],
    [q(storage.slots, { project_id }), 'storage'],
    [q(history.getStatus, {}), 'notifications'],
    [q(articles.structure, {}), 'help'],
  ] as const

/** Requests the reads of all pages once, and leaves out pages whose read is missing. Renders nothing. */
export default function AbsentPages({ projectId }: { readonly projectId: number }) {
  const pages = reads(projectId)
  const queries = pages.map(([read]) => ({ ...read, staleTime: Infinity, retry: false }))
  const absent = useQueries({ queries: queries as never[] })
    .flatMap(({ error }, index) => (error && toApiError(error).kind === 'missing' ? [pages[index]?.[1] ?? ''] : []))
    .join(' ')
  useEffect(() => setAbsentPages(absent.split(' ').filter(Boolean)), [absent])
  return null
}
