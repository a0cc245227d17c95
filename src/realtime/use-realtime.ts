// The one connection of the dashboard: begun a moment after the page can be used, for the project that is looked at.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiRuntime } from '#src/api/runtime.ts'
import { setRealtime } from './store.ts'

/** The client comes after everything that the page itself needs. */
const afterMs = 300

/** Keeps the queries of a project as they are at the server. @param projectId null: of none */
export function useRealtime(projectId: number | null): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (projectId === null) return
    const { session, realtimeUrl } = apiRuntime()
    let stop = () => {}
    let isOver = false
    setRealtime(projectId, 'connecting')

    async function begin(id: number): Promise<void> {
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

    const timer = setTimeout(() => {
      // Without the file the page asks again and again, as it does without a connection.
      begin(projectId).catch(() => setRealtime(projectId, 'away'))
    }, afterMs)
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
      setRealtime(null, 'idle')
    }
  }, [projectId, queries])
}
