import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { connectedApps } from '#contract/areas/projects/connected-apps.ts'
import { q, useWrite } from '#src/api/query.ts'
import { ConnectedApps } from '#src/components/connected-apps.tsx'

/** Apps that members connected to the project; for owners. */
export function AppsCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('apps', { keyPrefix: 'connected' })
  const query = useQuery(q(connectedApps.list, { project_id: projectId }))
  const write = useWrite(connectedApps.disconnect)
  return (
    <ConnectedApps
      query={query}
      note={t('textProject')}
      placeOf={({ user }) => t('by', { name: user.name })}
      disconnect={{
        ...write,
        mutate: ({ grant_id }, options) => write.mutate({ project_id: projectId, grant_id }, options),
      }}
    />
  )
}
