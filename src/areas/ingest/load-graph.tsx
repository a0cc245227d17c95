import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { graphTypes, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import type { Output } from '#contract/core/operation.ts'
import type { Interval } from '#contract/entities/ingest.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatPercent, localeOf } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { linesOf } from './graph-lines.ts'
import styles from './ingest.module.css'
import { useSearchChoice } from './use-search-choice.ts'

const size = { width: 720, height: 200 }

/** One load of every place over the interval. */
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
          onChange={(value) => setType(graphTypes.find((known) => known === value) ?? 'network')}
        />
      }
    >
      <QueryPart query={graph} failed={t('graph.failed')} skeleton={<Skeleton height={260} />}>
        {(data) => <Lines graph={data} />}
      </QueryPart>
    </Card>
  )
}

/** A line for each place, with a gap where nothing was reported; figures below, for whoever cannot see lines. */
function Lines({ graph }: { graph: Output<typeof rtmpServers.graph> }) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const lines = linesOf(graph, size)
  const time = new Intl.DateTimeFormat(localeOf[language], { timeStyle: 'short' })
  const at = (index: number) => time.format((graph.timeLine.at(index) ?? 0) * 1000)
  return (
    <figure className={styles.graph}>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden focusable="false">
        {[0, 0.5, 1].map((share) => (
          <line key={share} x1={0} x2={size.width} y1={share * size.height} y2={share * size.height} />
        ))}
        {lines.map(({ name, path }, index) => (
          <path key={name} d={path} data-line={index % 6} vectorEffect="non-scaling-stroke" />
        ))}
      </svg>
      <div className={styles.axis}>
        <span>{at(0)}</span>
        <span>{at(Math.floor(graph.timeLine.length / 2))}</span>
        <span>{at(-1)}</span>
      </div>
      <figcaption>
        <ul className={styles.legend}>
          {lines.map(({ name, mean, max }, index) => (
            <li key={name} data-line={index % 6}>
              {mean === null || max === null
                ? t('graph.silent', { name })
                : t('graph.line', { name, mean: formatPercent(mean, language), max: formatPercent(max, language) })}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}
