import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import styles from '#src/areas/channels/channels.module.css'

/** Active channels and the limit of the tariff; hidden until both are loaded. */
export function Quota({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('channels')
  const on = useQuery(q(channels.search, { project_id: projectId, type: 'active', limit: 1, offset: 0 }))
  const { hasPlans } = useInstallation()
  const slots = useQuery(q(restream.slots, { project_id: projectId }))
  const max = slots.data?.current?.channel_max
  const isKnown = on.data !== undefined && typeof max === 'number'
  return (
    <p className={styles.quota} data-full={(isKnown && on.data.total >= max) || undefined}>
      {isKnown && !hasPlans && <strong>{t('quota.all', { count: on.data.total })}</strong>}
      {isKnown && hasPlans && (
        <>
          <strong>{t('quota.on', { on: on.data.total, count: max })}</strong>{' '}
          <Link to={paths.tariffs(projectId)}>{t('quota.link')}</Link>
        </>
      )}
    </p>
  )
}
