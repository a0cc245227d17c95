import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Output } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'

/** Projects of the user, requested once for the layout of every page. */
export function useProjects(isSignedIn = true) {
  return useQuery({ ...q(projects.list, { limit: 100 }), staleTime: 60_000, retry: false, enabled: isSignedIn })
}

/**
 * The user's relation to a project, as far as the service has sent it. `awaited` while the list is on its way; `unsaid` where
 * the server has no list of projects, or the list is longer than the part read.
 */
export type Standing = 'member' | 'stranger' | 'awaited' | 'unsaid'

export function useStanding(projectId: string | undefined, isSignedIn: boolean): Standing {
  const { data, isFetching } = useProjects(isSignedIn)
  // A stranger stays one while the list is read again: else the pages of the project would open, and be refused, each time.
  const [strange, setStrange] = useState<string>()
  const standing = standingOf(projectId, data, isFetching)
  if (standing === 'stranger' && strange !== projectId) setStrange(projectId)
  return standing === 'awaited' && projectId !== undefined && strange === projectId ? 'stranger' : standing
}

function standingOf(projectId = '', data: Output<typeof projects.list> | undefined, isFetching: boolean): Standing {
  // Not a number: the router shows the page for an unknown path.
  if (!/^[1-9]\d*$/.test(projectId)) return 'unsaid'
  if (data?.results.some((row) => String(row.project_id) === projectId)) return 'member'
  if (isFetching) return 'awaited'
  return !data || data.total > data.results.length ? 'unsaid' : 'stranger'
}

/** Returns the project while it demands a second factor that the user lacks; otherwise null. */
export function useLockedProject(projectId: number | string | null, isSignedIn: boolean) {
  const { data } = useProjects(isSignedIn)
  return data?.results.find((row) => row.lacks_factor === true && String(row.project_id) === String(projectId)) ?? null
}

/** Refetches the projects after the service refuses data of a project: the user may no longer be a member. */
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
