import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { projects } from '#contract/areas/projects/projects.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'

/** The projects of the signed-in person, asked for once for everything around the page. */
export function useProjects(isSignedIn = true) {
  return useQuery({ ...q(projects.list, { limit: 100 }), staleTime: 60_000, retry: false, enabled: isSignedIn })
}

/**
 * What a project is to the person, as far as the service has said. A server that has no list of projects, or a longer
 * one than was read, has not said that a project is a stranger's.
 */
export function useStanding(projectId: string | undefined, isSignedIn: boolean): 'member' | 'stranger' | 'unsaid' {
  const { data, isFetching } = useProjects(isSignedIn)
  // What is no number is no project at all, and the router says that there is no such page.
  if (!/^[1-9]\d*$/.test(projectId ?? '') || !data) return 'unsaid'
  if (data.results.some((row) => String(row.project_id) === projectId)) return 'member'
  return isFetching || data.total > data.results.length ? 'unsaid' : 'stranger'
}

/** Asks for the projects again when the service refuses what is in one: the person may no longer be in it. */
export function useProjectsAfterRefusal(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        const { error, status } = query.state
        if (type !== 'updated' || status !== 'error' || toApiError(error).status !== 403) return
        const queryKey = projects.list.id.split('.')
        if (queries.isFetching({ queryKey }) === 0) void queries.invalidateQueries({ queryKey })
      }),
    [queries],
  )
}
