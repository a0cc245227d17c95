import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { graphTypes, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import type { Output } from '#contract/core/operation.ts'
import type { Interval } from '#contract/entities/ingest.ts'
import { q } from '#src/api/query.ts'
import { Chart } from '#src/components/chart.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { linesOf } from './graph-lines.ts'
import { useSearchChoice } from './use-search-choice.ts'

/** Chart of one load metric for every location over the interval. */
export function LoadGraph({ interval }: { readonly interval: Interval }) {
  const { t } = useTranslation('ingest')
  const [type, setType] = useSearchChoice('graph', graphTypes, 'network')
  const graph = useQuery({ ...q(rtmpServers.graph, { interval, type }), refetchInterval: 60_000 })
  return (
    <Card
      title={t('graph.title')}
      actions={
        <SelectField
          label={t('graph.what')}
          isLabelHidden
          value={type}
          choices={graphTypes.map((value) => ({ value, label: t(`graph.${value}`) }))}
          onChange={setType}
        />
      }
    >
      <QueryPart query={graph} failed={t('graph.failed')} skeleton={<Skeleton height={260} />}>
        {(data) => <Lines graph={data} />}
      </QueryPart>
    </Card>
  )
}

/** One line per location, with gaps for missing reports. */
function Lines({ graph }: { graph: Output<typeof rtmpServers.graph> }) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const series = useMemo(
    () =>
      linesOf(graph).map((line) => ({
        ...line,
        top: 100,
        format: (percent: number) => formatPercent(percent, language),
      })),
    [graph, language],
  )
  return <Chart label={t('graph.title')} series={series} from={graph.timeLine[0]} to={graph.timeLine.at(-1)} />
}
