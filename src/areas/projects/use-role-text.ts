import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProjectRole } from '#contract/entities/roles.ts'
import { useInstallation } from '#src/components/use-installation.ts'

/** Returns what a role may do, as text; without money where plans do not apply. */
export function useRoleText(): (role: ProjectRole) => string {
  const { t } = useTranslation('projects')
  const { hasPlans } = useInstallation()
  return useCallback(
    (role) => t(role === 'owner' && !hasPlans ? 'roleMay.ownerFree' : `roleMay.${role}`),
    [t, hasPlans],
  )
}
