import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type MediaFile, mediaFiles } from '#contract/areas/media/files.ts'
import type { MediaFileEvent } from '#contract/events/publications.ts'
import { makeStale } from '#src/api/make-stale.ts'
import { keyOf } from '#src/api/query.ts'

/** Follows the progress of films in realtime, and writes it into the list of files. */
export function useFilmProgress(projectId: number, files: readonly MediaFile[] | undefined): void {
  const queries = useQueryClient()
  const ids = (files ?? []).filter(({ status }) => status === 'processing').map(({ media_id }) => media_id)
  const followed = ids.join(' ')
  useEffect(() => {
    if (followed === '') return undefined
    const queryKey = keyOf(mediaFiles.list, { project_id: projectId })
    const apply = (data: unknown) => {
      if (!isProgress(data)) return
      const { media_id, ...progress } = data.payload
      queries.setQueryData<{ results: MediaFile[] }>(queryKey, (known) => {
        if (!known) return known
        return { results: known.results.map((file) => (file.media_id === media_id ? { ...file, ...progress } : file)) }
      })
      if (progress.status !== 'processing') makeStale(queries, { queryKey: ['media'] })
    }
    let leave: readonly (() => void)[] = []
    let isOver = false
    const join = async () => {
      const { joinChannel } = await import('#src/realtime/connection.ts')
      const listener = { data: apply, connected: () => undefined }
      if (!isOver) leave = followed.split(' ').map((id) => joinChannel('media_file', Number(id), listener))
    }
    // Without the file the page polls.
    join().catch(() => undefined)
    return () => {
      isOver = true
      for (const end of leave) end()
    }
  }, [projectId, followed, queries])
}

const isProgress = (data: unknown): data is MediaFileEvent =>
  (data as { readonly event?: unknown } | null)?.event === 'media-file'
