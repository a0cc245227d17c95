import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { bestServer, protocolsOf } from './addresses.ts'
import { EncoderCard } from './encoder-card.tsx'
import { GuideCard } from './guide-card.tsx'
import styles from './ingest.module.css'
import { KeySettings } from './key-settings.tsx'
import { NoServers } from './no-servers.tsx'
import { useLatencies, useServers, useStreamKey } from './queries.ts'
import { ServerChoice } from './server-choice.tsx'
import { UnreadableKey } from './unreadable-key.tsx'
import { useSearchChoice } from './use-search-choice.ts'

/** Publishing a stream: server, key, settings and encoder guide. */
export function PushPart() {
  const { t } = useTranslation('ingest')
  const projectId = Number(useParams()['projectId'])
  const servers = useServers(projectId)
  const streamKey = useStreamKey(projectId)
  const list = servers.data?.results ?? []
  const latencies = useLatencies(list)
  const best = bestServer(list, latencies)
  const [id, choose] = useSearchChoice(
    'server',
    list.map((server) => String(server.id)),
    String(best?.id),
  )
  const server = list.find((one) => String(one.id) === id)
  const offered = protocolsOf(server)
  const [protocol, setProtocol] = useSearchChoice('by', offered, offered[0] ?? 'rtmp')

  return (
    <div className={styles.parts}>
      <Card title={t('server.title')} note={list.length > 0 && t('server.note')}>
        <QueryPart query={servers} failed={t('server.failed')} skeleton={<Skeleton height={150} />}>
          {({ results, ...why }) =>
            results.length === 0 ? (
              <NoServers {...why} />
            ) : (
              <ServerChoice
                servers={results}
                chosen={server?.id}
                best={best?.id}
                latencies={latencies}
                onChoose={(one) => choose(String(one.id))}
              />
            )
          }
        </QueryPart>
      </Card>
      {streamKey.error && toApiError(streamKey.error).name === 'KeyUnreadable' ? (
        <UnreadableKey projectId={projectId} error={streamKey.error} />
      ) : (
        <QueryPart query={streamKey} failed={t('key.failed')} skeleton={<Skeleton height={640} />}>
          {(data) => (
            <>
              <EncoderCard
                projectId={projectId}
                streamKey={data}
                server={server}
                latency={server && latencies.get(server.pingHost)}
                protocol={protocol}
                onProtocol={setProtocol}
              />
              <KeySettings projectId={projectId} streamKey={data} />
              <GuideCard projectId={projectId} streamKey={data} server={server} protocol={protocol} />
            </>
          )}
        </QueryPart>
      )}
    </div>
  )
}
