// The dashboard's single realtime connection, for the project in the URL.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiRuntime } from '#src/api/runtime.ts'
import { useSettled } from '#src/api/settled.ts'
import { setRealtime } from './store.ts'

/**
 * Keeps the queries of a project in sync with the server.
 * @param projectId null: no project
 */
export function useRealtime(projectId: number | null): void {
  const queries = useQueryClient()
  const isSettled = useSettled()
  useEffect(() => {
    if (projectId === null || !isSettled) return
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

    // Without the file the page polls, as it does without a connection.
    begin(projectId).catch(() => setRealtime(projectId, 'away'))
    return () => {
      isOver = true
      stop()
      setRealtime(null, 'idle')
    }
  }, [projectId, queries, isSettled])
}
