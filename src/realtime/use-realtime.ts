// The one connection of the dashboard: begun when the page has what it needs, for the project that is looked at.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAfterPage } from '#src/api/after-page.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { breath } from '#src/lib/breath.ts'
import { setRealtime } from './store.ts'

/** Keeps the queries of a project as they are at the server. @param projectId null: of none */
export function useRealtime(projectId: number | null): void {
  const queries = useQueryClient()
  const isAfterPage = useAfterPage()
  useEffect(() => {
    if (projectId === null || !isAfterPage) return
    const { session, realtimeUrl } = apiRuntime()
    let stop = () => {}
    let isOver = false
    setRealtime(projectId, 'connecting')

    async function begin(id: number): Promise<void> {
      await breath()
      const { connectRealtime } = await import('./connection.ts')
      if (isOver) return
      stop = connectRealtime({
        url: realtimeUrl,
        projectId: id,
        queries,
        session,
        tell: (status) => setRealtime(id, status),
      })
    }

    // Without the file the page asks again and again, as it does without a connection.
    begin(projectId).catch(() => setRealtime(projectId, 'away'))
    return () => {
      isOver = true
      stop()
      setRealtime(null, 'idle')
    }
  }, [projectId, queries, isAfterPage])
}
