// Queries of stream setup and their refresh intervals.
import { useQueries, useQuery } from '@tanstack/react-query'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { type IngestServer, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { Interval } from '#contract/entities/ingest.ts'
import { q } from '#src/api/query.ts'
import { ping } from './ping.ts'

/** Refetched regularly: another member may rotate the key, and an outdated key breaks the encoder. */
export const useStreamKey = (projectId: number) =>
  useQuery({
    ...q(streamKeys.get, { project_id: projectId }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: 15_000,
  })

/** Nodes report every 30 seconds. */
export const useServers = (projectId: number, interval: Interval = 1) =>
  useQuery({ ...q(rtmpServers.list, { project_id: projectId, interval }), refetchInterval: 30_000 })

export const usePullKeys = (projectId: number) =>
  useQuery({ ...q(pullKeys.list, { project_id: projectId }), refetchInterval: 15_000 })

/** Milliseconds from this browser; undefined during measurement, null when the measurement failed. */
export type Latency = number | null | undefined

const pingQuery = (host: string) => ({
  queryKey: ['ping', host],
  queryFn: ({ signal }: { signal: AbortSignal }) => ping(host, signal),
  staleTime: 120_000,
  refetchOnWindowFocus: false,
  retry: false,
})

/** Measures each host once, and again when a component mounts after two minutes. */
export function useLatencies(servers: readonly Pick<IngestServer, 'pingHost'>[]): ReadonlyMap<string, Latency> {
  const hosts = [...new Set(servers.map(({ pingHost }) => pingHost))].filter(Boolean)
  const results = useQueries({ queries: hosts.map(pingQuery) })
  // A server without a host cannot be measured.
  return new Map<string, Latency>([
    ['', null],
    ...hosts.map((host, index) => [host, latencyOf(results[index])] as const),
  ])
}

function latencyOf(result: { readonly data?: number | undefined; readonly isError: boolean } | undefined): Latency {
  if (result?.data !== undefined) return result.data
  return result?.isError ? null : undefined
}
