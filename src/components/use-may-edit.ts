import { useQuery } from '@tanstack/react-query'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'

/**
 * Returns whether the user may edit the project's data. The service decides in any case.
 * @param meanwhile result until the service has sent the user's role; null: unknown
 */
export function useMayEdit<M extends boolean | null = boolean>(
  projectId: number,
  meanwhile: M | boolean = true,
): M | boolean {
  return useMay(projectId, 'editor', meanwhile)
}

/** Returns whether the user owns the project; null until the service has sent the role. */
export const useIsOwner = (projectId: number): boolean | null => useMay(projectId, 'owner', null)

function useMay<M extends boolean | null>(projectId: number, role: 'editor' | 'owner', meanwhile: M | boolean) {
  const { data } = useQuery({ ...q(projects.list, { limit: 100 }), staleTime: 60_000 })
  const row = data?.results.find(({ project_id }) => project_id === projectId)
  return row === undefined ? meanwhile : roleCan(row.access_type, role)
}
