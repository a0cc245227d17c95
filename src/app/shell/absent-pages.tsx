// Finds the pages that a server with a part of the contract has no operation for. Loads for such servers only.
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'
import { setAbsentPages } from '#src/stores/absent.ts'

/** The read that each page begins with, by its key in the navigation; of a line of plans, by its name. */
const reads = (project_id: number) =>
  ({
    home: q(broadcasts.status, { project_id }),
    broadcasts: q(broadcasts.list, { project_id, limit: 1, order: 'desc' }),
    channels: q(channels.search, { project_id, limit: 100 }),
    ingest: q(streamKeys.get, { project_id }),
    chat: q(chat.capabilities, { project_id }),
    analytics: q(analytics.broadcasts, { project_id, limit: 1 }),
    tariffs: q(restream.slots, { project_id }),
    billing: q(projects.info, { project_id }),
    project: q(projects.info, { project_id }),
    transcoding: q(transcoding.slots, { project_id }),
    storage: q(storage.slots, { project_id }),
    notifications: q(history.getStatus, {}),
  }) as const

/** Requests the reads of all pages once, and leaves out pages whose read is missing. Renders nothing. */
export default function AbsentPages({ projectId }: { readonly projectId: number }) {
  const pages = Object.entries(reads(projectId))
  const queries = pages.map(([, read]) => ({ ...read, staleTime: Infinity, retry: false }))
  const absent = useQueries({ queries: queries as never[] })
    .flatMap(({ error }, index) => (error && toApiError(error).kind === 'missing' ? [pages[index]?.[0] ?? ''] : []))
    .join(' ')
  useEffect(() => setAbsentPages(absent.split(' ').filter(Boolean)), [absent])
  return null
}
