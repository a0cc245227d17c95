import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { useHasPayments } from '#src/components/use-has-payments.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatNumber } from '#src/lib/format.ts'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** What a project may use where plans do not apply: channels, recordings, transcoders. */
export function LimitsCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('projects', { keyPrefix: 'limits' })
  const language = useLanguage()
  const { isOperator } = useInstallation()
  const hasPayments = useHasPayments(projectId, true)
  const slots = useQuery(q(restream.slots, { project_id: projectId }))
  const storage = useQuery(q(recordings.limits, { project_id: projectId }))
  const transcoding = useQuery(q(transcoders.list, { project_id: projectId }))
  if (slots.isPending || storage.isPending || transcoding.isPending) return <Skeleton height={220} />
  const max = slots.data?.current?.channel_max
  const count = transcoding.data?.limit
  return (
    <Card title={t('title')} note={t('note')}>
      <FactList>
        {typeof max === 'number' && <Fact name={t('channels')}>{formatNumber(max, language)}</Fact>}
        {storage.data && <Fact name={t('storage')}>{formatBytes(storage.data.video_limit, language)}</Fact>}
        {count !== undefined && <Fact name={t('transcoders')}>{formatNumber(count, language)}</Fact>}
      </FactList>
      {isOperator === true && <Link to={paths.operator('general')}>{t('change')}</Link>}
      {hasPayments && <Link to={paths.billing(projectId, 'history')}>{t('payments')}</Link>}
    </Card>
  )
}
