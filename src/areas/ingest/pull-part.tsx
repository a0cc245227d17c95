import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { pullServers } from '#contract/areas/ingest/pull-servers.ts'
import { keyPlaceholder, transports } from '#contract/entities/ingest.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { CreatePullKey } from './create-pull-key.tsx'
import styles from './ingest.module.css'
import { NoServers } from '#src/components/no-servers.tsx'
import { PullKeyRow } from './pull-key-row.tsx'
import { type Latency, useLatencies, usePullKeys } from './queries.ts'
import type { Output } from '#contract/core/operation.ts'
import { LatencyText } from './health.tsx'

type Server = Output<typeof pullServers.list>['results'][number]

/** Placeholder for the pull key in a displayed address. */
const keyStandIn = 'PULL_KEY'

/** Server for pulling, with its address format. */
function PullServerRow({ server, latency }: { readonly server: Server; readonly latency: Latency }) {
  const urls = transports.flatMap((transport) => {
    const url = server.url[transport]
    return url ? [{ transport, url }] : []
  })
  return (
    <Row title={server.city} about={server.country.name} actions={<LatencyText latency={latency} />}>
      <dl className={styles.urls}>
        {urls.map(({ transport, url }) => (
          <div key={transport}>
            <dt>{transport.toUpperCase()}</dt>
            <dd>
              <code>{url.replace(keyPlaceholder, keyStandIn)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Row>
  )
}

/** Pulling the project's stream from the relay: keys and servers. */
export function PullPart() {
  const { t } = useTranslation('ingest')
  const projectId = Number(useParams()['projectId'])
  const keys = usePullKeys(projectId)
  const { hasPlans } = useInstallation()
  const servers = useQuery({ ...q(pullServers.list, {}), refetchInterval: 60_000 })
  const places = servers.data?.results ?? []
  const latencies = useLatencies(places)
  const [isCreating, setCreating] = useState(false)
  const { results = [], limit, masked = false } = keys.data ?? {}
  const offered = transports.filter((one) => places.some(({ url }) => url[one]))
  const isFull = limit !== undefined && results.length >= limit

  return (
    <div className={styles.parts}>
      <Card
        title={t('pull.title')}
        note={t('pull.note')}
        actions={
          keys.data &&
          !masked && (
            <Button look="outline" isOff={isFull} aria-describedby="pull-limit" onClick={() => setCreating(true)}>
              <IconPlus size={18} aria-hidden />
              {t('pull.create')}
            </Button>
          )
        }
      >
        <QueryPart query={keys} failed={t('pull.failed')} skeleton={<Skeleton height={120} />}>
          {(data) => (
            <>
              {hasPlans && limit !== undefined && (
                <p id="pull-limit" className={styles.hint}>
                  {isFull ? t('pull.full', { count: limit }) : t('pull.count', { used: results.length, limit })}{' '}
                  {isFull && <Link to={paths.tariffs(projectId)}>{t('settings.plans')}</Link>}
                </p>
              )}
              {data.results.length === 0 ? (
                <EmptyState title={t('pull.none')}>
                  <p>{t('pull.noneText')}</p>
                </EmptyState>
              ) : (
                <RowList label={t('pull.title')}>
                  {data.results.map((pullKey) => (
                    <PullKeyRow
                      key={pullKey.id}
                      projectId={projectId}
                      pullKey={pullKey}
                      isMasked={masked}
                      hasServers={places.length > 0}
                      regions={[...new Set(places.map(({ city }) => city))]}
                    />
                  ))}
                </RowList>
              )}
            </>
          )}
        </QueryPart>
        <HelpLinkLater article="stream/pull-keys" />
        {isCreating && <CreatePullKey projectId={projectId} offered={offered} onClose={() => setCreating(false)} />}
      </Card>
      <Card title={t('pullServers.title')} note={t('pullServers.note', { placeholder: keyStandIn })}>
        <QueryPart query={servers} failed={t('pullServers.failed')} skeleton={<Skeleton height={120} />}>
          {(data) =>
            data.results.length === 0 ? (
              <NoServers {...data} />
            ) : (
              <RowList label={t('pullServers.title')}>
                {data.results.map((server) => (
                  <PullServerRow
                    key={server.targetKey ?? server.pingHost}
                    server={server}
                    latency={latencies.get(server.pingHost)}
                  />
                ))}
              </RowList>
            )
          }
        </QueryPart>
      </Card>
    </div>
  )
}
