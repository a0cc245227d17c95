import { useQuery } from '@tanstack/react-query'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'

/**
 * May the person change what the project has? The service decides in any case.
 * @param meanwhile what counts until it has said who they are here; null: that it is not known
 */
export function useMayEdit<M extends boolean | null = boolean>(
  projectId: number,
  meanwhile: M | boolean = true,
): M | boolean {
  const { data } = useQuery({ ...q(projects.list, { limit: 100 }), staleTime: 60_000 })
  const row = data?.results.find(({ project_id }) => project_id === projectId)
  return row === undefined ? meanwhile : roleCan(row.access_type, 'editor')
}
