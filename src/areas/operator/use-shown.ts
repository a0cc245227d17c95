import { useQuery } from '@tanstack/react-query'
import { settings } from '#contract/areas/operator/settings.ts'
import { q } from '#src/api/query.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import type { OperatorTab } from './tabs.ts'

/**
 * Returns whether a part of Administration with a need is shown: prices where plans apply, payments also where a project has
 * paid before. Null while unknown.
 */
export function useShown(): (needs: OperatorTab['needs']) => boolean | null {
  const { isOperator, hasPlans } = useInstallation()
  const { data } = useQuery({ ...q(settings.get, {}), enabled: isOperator === true && !hasPlans })
  return (needs) => {
    if (!needs || hasPlans) return true
    return needs === 'prices' ? false : (data?.has_payments ?? null)
  }
}
