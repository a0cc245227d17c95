import { useQuery } from '@tanstack/react-query'
import { payments } from '#contract/areas/billing/payments.ts'
import { q } from '#src/api/query.ts'
import { useMayEdit } from './use-may-edit.ts'

/** Returns whether a project has made payments that the user may see; null while unknown. @param isNeeded false: no request */
export function useHasPayments(projectId: number, isNeeded: boolean): boolean | null {
  const mayRead = useMayEdit(projectId, null)
  const list = useQuery({
    ...q(payments.list, { project_id: projectId, page: 1, pageSize: 1 }),
    enabled: isNeeded && mayRead === true,
  })
  if (mayRead === false || list.isError) return false
  return list.data ? list.data.total > 0 : null
}
