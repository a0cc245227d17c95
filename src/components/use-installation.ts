import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { auth } from '#contract/areas/account/auth.ts'
import { q } from '#src/api/query.ts'
import { recall, remember } from '#src/lib/storage.ts'

/** Facts about the installation for the signed-in user. */
export interface Installation {
  /** Plans apply. A server that does not report it has plans. */
  readonly hasPlans: boolean
  /** The user is an operator; null while unknown. */
  readonly isOperator: boolean | null
}

/** Returns the installation. Until the response, `hasPlans` is as at the last visit, so that the navigation stays in place. */
export function useInstallation(): Installation {
  const { data } = useQuery({ ...q(auth.me, {}), staleTime: 300_000, retry: false })
  const billing = data && (data.billing ?? 'plans')
  useEffect(() => {
    if (billing) remember('billing', billing)
  }, [billing])
  return {
    hasPlans: (billing ?? recall('billing')) !== 'off',
    isOperator: data ? data.operator === true : null,
  }
}
