// The chat of a project's current broadcast, else of its last one: abilities, messages, and what arrives.
import { type QueryClient, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { chat } from '#contract/areas/chat/chat.ts'
import type { Output } from '#contract/core/operation.ts'
import { Deletions } from '#contract/events/deletions.ts'
import { call } from '#src/api/call.ts'
import { keyOf, q } from '#src/api/query.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { createMessageLog, type MessageLog } from '#src/components/message-list/message-log.ts'
import type { BroadcastListener } from '#src/realtime/connection.ts'
import { createCatchUp, hasMore, pageSize } from './catch-up.ts'
import { readFeed, withStates } from './feed.ts'

/** The caller: a member in a project, or the holder of a chat key. */
export interface ChatBy {
  readonly project_id?: number | undefined
  readonly key?: string | undefined
  /** Joins the realtime channel of a broadcast. @returns a function that leaves it */
  readonly join: (broadcastId: number, listener: BroadcastListener) => () => void
  /** Interval in milliseconds of requests for new messages while realtime does not work. */
  readonly pollMs: number | false
}

/** Filters that the service applies. */
export interface ServedFilter {
  readonly q?: string
  readonly restream_id?: number
  readonly hidden?: boolean
}

export type Capabilities = Output<typeof chat.capabilities>

const watchMs = 60_000
/** Refetch interval of abilities: also notices a broadcast that began or ended unnoticed. */
const capabilitiesMs = 30_000

/** The key as a parameter, where the caller has one. */
export const withKey = ({ key }: Pick<ChatBy, 'key'>) => ({ ...(key !== undefined && { key }) })

const nameOf = (by: Pick<ChatBy, 'key' | 'project_id'>) => ({
  ...withKey(by),
  ...(by.project_id !== undefined && { project_id: by.project_id }),
})

const capabilitiesOf = (by: Pick<ChatBy, 'key' | 'project_id'>) => ({
  ...q(chat.capabilities, nameOf(by)),
  structuralSharing: (known: unknown, next: unknown) =>
    replaceEqualDeep(known, withStar(known as Capabilities, next as Capabilities)),
})

/** Abilities of the project's chats. They follow the states that the realtime channel publishes. */
export const useCapabilities = (by: ChatBy) => useQuery({ ...capabilitiesOf(by), refetchInterval: capabilitiesMs })

/** The answer with the star that is known: a publication during the request may be newer. */
const withStar = (known: Capabilities | undefined, next: Capabilities): Capabilities =>
  known?.broadcast_id === next.broadcast_id && known.star_seq > next.star_seq
    ? { ...next, starred: known.starred, star_seq: known.star_seq }
    : next

/** Changes the known abilities of a caller. Those of another broadcast than the change belongs to stay as they are. */
export const changeKnown = (
  queries: QueryClient,
  by: Pick<ChatBy, 'key' | 'project_id'>,
  broadcastId: number | null,
  change: Partial<Capabilities>,
): void =>
  void queries.setQueryData<Capabilities>(keyOf(chat.capabilities, nameOf(by)), (known) =>
    known?.broadcast_id === broadcastId ? { ...known, ...change } : known,
  )

interface Older {
  readonly of: MessageLog
  readonly isBusy: boolean
  /** No older messages exist; absent: the first page shows it. */
  readonly isDone?: boolean
}

/** Number of the first message of a log. */
function oldestOf(log: MessageLog): number | undefined {
  const row = log.view().live.find(({ kind }) => kind === 'message')
  return row?.kind === 'message' ? row.message.seq : undefined
}

/** Loads messages before a number. @returns whether older ones follow @throws what `ask` throws */
async function loadBefore(
  log: MessageLog,
  before: number,
  isFiltered: boolean,
  ask: (page: { readonly before: number; readonly limit: number }) => Promise<Output<typeof chat.messages>>,
): Promise<boolean> {
  let isMore = false
  await log.compare(async () => {
    const page = await ask({ before, limit: pageSize })
    if ((oldestOf(log) ?? Infinity) > before) throw new Error('Newer rows were forgotten meanwhile: a gap would stay')
    isMore = hasMore(page, pageSize)
    return { messages: page.items, after: (page.items[0]?.seq ?? before) - 1, upTo: before - 1, isFiltered }
  }, 'load')
  return isMore
}

/** Messages of a broadcast with what arrives, and older ones on demand. */
export function useMessages(by: ChatBy, broadcastId: number | null, isOnAir: boolean, filter: ServedFilter) {
  const queries = useQueryClient()
  const { key, pollMs, join } = by
  const filterKey = JSON.stringify([broadcastId, filter, key])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- another filter or broadcast begins another list
  const log = useMemo(() => createMessageLog(), [filterKey])
  const which = { ...withKey(by), broadcast_id: broadcastId ?? 0, ...filter }
  const first = useQuery({
    ...q(chat.messages, { ...which, limit: pageSize }),
    enabled: broadcastId !== null,
    staleTime: Infinity,
    gcTime: 0,
  })
  const [older, setOlder] = useState<Older>({ of: log, isBusy: false })
  const state: Older = older.of === log ? older : { of: log, isBusy: false }

  const latest = useRef({ which, sessionId: sessionOf(queries) })
  latest.current = { which, sessionId: sessionOf(queries) }
  const ask = useCallback(
    (page: { readonly after?: number; readonly before?: number; readonly limit: number }) =>
      call(chat.messages, { ...latest.current.which, ...page }, { sessionId: latest.current.sessionId }),
    [],
  )
  const askRights = useCallback(
    () => void queries.invalidateQueries({ queryKey: chat.capabilities.id.split('.') }),
    [queries],
  )
  const isFiltered = filter.q !== undefined || filter.restream_id !== undefined
  const rights = useQuery({ ...capabilitiesOf(by), enabled: false })
  const { loaded, catchUp, allow, start } = useMemo(
    () =>
      createCatchUp(log, ask, {
        isFiltered,
        onForget: () => setOlder({ of: log, isBusy: false, isDone: false }),
        onRefused: askRights,
      }),
    [log, ask, isFiltered, askRights],
  )
  // After a refusal: each answer with the abilities allows another request.
  const { isError: isRefused, dataUpdatedAt: answeredAt } = rights
  useEffect(() => {
    if (!isRefused) allow()
  }, [isRefused, answeredAt, allow])
  useEffect(() => {
    const stop = start()
    return () => {
      stop()
      log.stop()
    }
  }, [log, start])
  useEffect(() => {
    log.load(first.data?.items ?? [])
    if (first.data) loaded()
  }, [log, loaded, first.data])

  // Off air members follow deletions by others, and messages that arrive late. With a key, the next broadcast is awaited.
  const isJoined = isOnAir || key === undefined
  useEffect(() => {
    if (broadcastId === null || !isJoined) return
    const known = () => queries.getQueryData<Capabilities>(keyOf(chat.capabilities, nameOf(by)))
    const platformOf = (id: number) => known()?.results.find(({ restream_id }) => restream_id === id)?.platform ?? ''
    const deletions = new Deletions()
    let isFirst = true
    return join(broadcastId, {
      connected: (isGap) => {
        if (isGap) catchUp(isFirst ? 'all' : 'reconnected')
        isFirst = false
      },
      data: (data) => {
        const feed = readFeed(data, platformOf, deletions)
        if (!feed) return
        log.receive(feed.events)
        // The rest of the limit is in the abilities only.
        if (feed.states.some(({ reason }) => reason === 'quota')) askRights()
        const before = known()
        if (before?.broadcast_id !== broadcastId) return
        const { starred, star_seq } = feed.starAfter(before)
        // Each change of the known answer restarts the interval of its next request.
        if (feed.states.length > 0 || starred !== before.starred || star_seq !== before.star_seq)
          changeKnown(queries, by, broadcastId, { starred, star_seq, results: withStates(before.results, feed.states) })
      },
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `by` is new in each render, its parts are not
  }, [broadcastId, isJoined, join, log, catchUp, askRights, queries, by.key, by.project_id])

  useEffect(() => {
    if (pollMs === false || !isOnAir || broadcastId === null) return
    const timer = setInterval(() => document.hidden || catchUp('recent'), pollMs)
    return () => clearInterval(timer)
  }, [pollMs, isOnAir, broadcastId, catchUp])

  const hasOlder =
    state.isDone === undefined ? first.data !== undefined && hasMore(first.data, pageSize) : !state.isDone
  const loadOlder = async () => {
    const before = oldestOf(log)
    if (state.isBusy || before === undefined) return
    setOlder({ of: log, isBusy: true, isDone: false })
    const isDone = !(await loadBefore(log, before, isFiltered, ask).catch(() => true))
    setOlder({ of: log, isBusy: false, isDone })
  }
  return { log, first, hasOlder, loadOlder, isLoadingOlder: state.isBusy }
}

/** Keeps the chats read while the page is visible: the service stops readers that no page watches. */
export function useWatch(by: ChatBy, isOnAir: boolean): void {
  const queries = useQueryClient()
  const { key, project_id } = by
  useEffect(() => {
    if (!isOnAir) return
    const input = nameOf({ key, project_id })
    const watch = () => {
      if (!document.hidden) call(chat.watch, input, { sessionId: sessionOf(queries) }).catch(() => undefined)
    }
    watch()
    const timer = setInterval(watch, watchMs)
    return () => clearInterval(timer)
  }, [queries, key, project_id, isOnAir])
}
