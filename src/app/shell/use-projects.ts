import { useQuery } from '@tanstack/react-query'
import { projects } from '#contract/areas/projects/projects.ts'
import { q } from '#src/api/query.ts'

/** The projects of the signed-in person, asked for once for everything around the page. */
export function useProjects(isSignedIn = true) {
  return useQuery({ ...q(projects.list, { limit: 100 }), staleTime: 60_000, retry: false, enabled: isSignedIn })
}

/**
 * Whether the service has said that a project is not one of the person's. A server that has no list of projects, or
 * a longer one than was read, has not said so.
 */
export function useIsUnknown(projectId: string | undefined, isSignedIn: boolean): boolean {
  const { data, isFetching } = useProjects(isSignedIn)
  // What is no number is no project at all, and the router says that there is no such page.
  if (!/^[1-9]\d*$/.test(projectId ?? '')) return false
  if (!data || isFetching || data.total > data.results.length) return false
  return !data.results.some((row) => String(row.project_id) === projectId)
}
