import type { pullServers } from '#contract/areas/ingest/pull-servers.ts'
import type { Output } from '#contract/core/operation.ts'
import { keyPlaceholder, transports } from '#contract/entities/ingest.ts'
import { Row } from '#src/ui/row-list.tsx'
import { LatencyText } from './health.tsx'
import styles from './ingest.module.css'
import type { Latency } from './queries.ts'

type Server = Output<typeof pullServers.list>['results'][number]

/** Placeholder for the pull key in a displayed address. */
export const keyStandIn = 'PULL_KEY'

/** Server for pulling, with its address format. */
export function PullServerRow({ server, latency }: { readonly server: Server; readonly latency: Latency }) {
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
