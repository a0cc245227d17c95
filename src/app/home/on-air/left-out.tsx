import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'

interface Props {
  readonly projectId: number
}

/** An active channel that is not on air: more are active than the tariff allows, or it is queued. */
export function LeftOut({ projectId }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const max = useQuery(q(restream.slots, { project_id: projectId })).data?.current?.channel_max
  const list = useQuery(q(channels.search, { project_id: projectId, limit: 100 })).data
  const count = list?.results.filter(({ active }) => active).length
  if (typeof max !== 'number' || count === undefined || count <= max) return t('notLive.soon')
  return (
    <>
      {t('notLive.tariff', { max, on: count })} <Link to={paths.tariffs(projectId)}>{t('tariffs')}</Link>
    </>
  )
}
