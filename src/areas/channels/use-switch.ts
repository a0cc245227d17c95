import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Output } from '#contract/core/operation.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { useWrite } from '#src/api/query.ts'

/** Key prefixes of the queries that hold channel state. */
const search = channels.search.id.split('.')
const get = channels.get.id.split('.')

/** Switches a channel on or off with an optimistic update; reverts it when the service refuses. */
export function useSwitch(projectId: number) {
  const queries = useQueryClient()
  return useWrite(channels.setStatus, {
    onMutate: async ({ channel_id: id, status }) => {
      // Responses in flight would restore the old state.
      await Promise.all([search, get].map((queryKey) => queries.cancelQueries({ queryKey })))
      show(queries, projectId, new Set([id]), status)
    },
    onError: (_, { channel_id: id, status }) => show(queries, projectId, new Set([id]), !status),
  })
}

/** Updates the switch of channels in all cached queries of the project. */
function show(queries: QueryClient, projectId: number, ids: ReadonlySet<number>, active: boolean): void {
  const change = (channel: Channel): Channel => (ids.has(channel.group_id) ? { ...channel, active } : channel)
  const ofProject = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    (queryKey[3] as { readonly project_id?: number } | undefined)?.project_id === projectId
  queries.setQueriesData<Output<typeof channels.search>>(
    { queryKey: search, predicate: ofProject },
    (page) => page && { ...page, results: page.results.map(change) },
  )
  queries.setQueriesData<Channel>({ queryKey: get, predicate: ofProject }, (channel) => channel && change(channel))
}
