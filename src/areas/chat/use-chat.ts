// The chat of a project's current broadcast, else of its last one: abilities, messages, and what arrives.
import { type QueryClient, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { chat } from '#contract/areas/chat/chat.ts'
import type { Output } from '#contract/core/operation.ts'
import type { ChatChange } from '#contract/events/chat.ts'
import { starAfter } from '#contract/events/chat-order.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { keyOf, q } from '#src/api/query.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { createMessageLog, type MessageLog } from '#src/components/message-list/message-log.ts'
import type { ChannelListener } from '#src/realtime/connection.ts'
import { followChat, type FollowOptions } from '#src/realtime/chat-follower.ts'
import { eventsOf, readBatch, withStates } from './feed.ts'

/** The caller: a member in a project, or the holder of a chat key. */
export interface ChatBy {
  readonly project_id?: number | undefined
  readonly key?: string | undefined
  /** Joins the realtime channel of a broadcast. @returns a function that leaves it */
  readonly join: (broadcastId: number, listener: ChannelListener) => () => void
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

/** Messages of the first page, and of older ones. */
const pageSize = 200
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
  known?.broadcast_id === next.broadcast_id && known.star_rev > next.star_rev
    ? { ...next, starred: known.starred, star_rev: known.star_rev }
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

type Page = Output<typeof chat.messages>

/** Returns whether messages follow a page: one of large messages has fewer than its limit. */
const hasMore = ({ items, more }: Page): boolean => items.length > 0 && (more ?? items.length >= pageSize)

/** Number of the first message of a list that begins with a page; 0: no older ones exist. */
const firstOf = (page: Page): number => (hasMore(page) ? (page.items[0]?.seq ?? 0) : 0)

/** The follower of a log, with the changes of the star and of the states of chats. */
function useFollower(by: ChatBy, broadcastId: number | null, log: MessageLog, newest: FollowOptions['restart']) {
  const queries = useQueryClient()
  const latest = useRef({ by, newest, sessionId: sessionOf(queries) })
  // oxlint-disable-next-line react/refs -- read by requests only
  latest.current = { by, newest, sessionId: sessionOf(queries) }
  const askRights = useCallback(
    () => void queries.invalidateQueries({ queryKey: chat.capabilities.id.split('.') }),
    [queries],
  )
  const apply = useCallback(
    (changes: readonly ChatChange[]) => {
      const caller = latest.current.by
      const known = queries.getQueryData<Capabilities>(keyOf(chat.capabilities, nameOf(caller)))
      const platformOf = (id: number) => known?.results.find(({ restream_id }) => restream_id === id)?.platform ?? ''
      log.receive(eventsOf(changes, platformOf))
      const states = changes.filter((change) => change.action === 'state')
      // The rest of the limit is in the abilities only.
      if (states.some(({ reason }) => reason === 'quota')) askRights()
      if (known?.broadcast_id !== broadcastId) return
      const { starred, star_rev } = starAfter(known, changes)
      // Each change of the known answer restarts the interval of its next request.
      if (states.length > 0 || star_rev !== known.star_rev)
        changeKnown(queries, caller, broadcastId, { starred, star_rev, results: withStates(known.results, states) })
    },
    [log, queries, askRights, broadcastId],
  )
  const read = useCallback(
    (after: number) => {
      const { by: caller, sessionId } = latest.current
      return call(chat.changes, { ...withKey(caller), broadcast_id: broadcastId ?? 0, after }, { sessionId })
    },
    [broadcastId],
  )
  const restart = useCallback(() => latest.current.newest(), [])
  const delayAfter = useCallback(
    (error: unknown) => {
      const { isTransient, retryAfterMs } = toApiError(error)
      if (!isTransient) askRights()
      return isTransient ? (retryAfterMs ?? 0) : null
    },
    [askRights],
  )
  // oxlint-disable-next-line react/refs -- the functions run after the render
  const follower = useMemo(() => followChat({ apply, read, restart, delayAfter }), [apply, read, restart, delayAfter])
  // After a refusal: each answer with the abilities allows another request.
  const { isError: isRefused, dataUpdatedAt: answeredAt } = useQuery({ ...capabilitiesOf(by), enabled: false })
  useEffect(() => {
    if (!isRefused) follower.allow()
  }, [isRefused, answeredAt, follower])
  useEffect(() => {
    const stop = follower.start()
    return () => {
      stop()
      log.stop()
    }
  }, [log, follower])
  return { follower, askRights }
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
  const ask = (page: { readonly before?: number }) =>
    call(chat.messages, { ...latest.current.which, ...page, limit: pageSize }, { sessionId: latest.current.sessionId })
  const { follower, askRights } = useFollower(by, broadcastId, log, async () => {
    const page = await ask({})
    const show = () => {
      log.restart(page.items, firstOf(page))
      setOlder({ of: log, isBusy: false, isDone: !hasMore(page) })
    }
    return { rev: page.rev, show }
  })
  useEffect(() => {
    if (!first.data) return
    log.load(first.data.items, firstOf(first.data))
    follower.loaded(first.data.rev)
  }, [log, follower, first.data])

  // Off air members follow deletions by others, and messages that arrive late. With a key, the next broadcast is awaited.
  const isJoined = isOnAir || key === undefined
  useEffect(() => {
    if (broadcastId === null || !isJoined) return
    let isFirst = true
    return join(broadcastId, {
      connected: () => {
        follower.catchUp(isFirst ? 'subscribed' : 'reconnected')
        // States of chats have no numbers.
        if (!isFirst) askRights()
        isFirst = false
      },
      data: (data) => {
        const batch = readBatch(data)
        if (batch) follower.take(batch)
      },
    })
  }, [broadcastId, isJoined, join, follower, askRights])

  useEffect(() => {
    if (pollMs === false || !isOnAir || broadcastId === null) return
    const timer = setInterval(() => document.hidden || follower.catchUp('polled'), pollMs)
    return () => clearInterval(timer)
  }, [pollMs, isOnAir, broadcastId, follower])

  const hasOlder = state.isDone === undefined ? first.data !== undefined && hasMore(first.data) : !state.isDone
  const loadOlder = async () => {
    const before = oldestOf(log)
    if (state.isBusy || before === undefined) return
    setOlder({ of: log, isBusy: true, isDone: false })
    let isDone = false
    const load = log.loadFrom(async () => {
      const page = await ask({ before })
      if ((oldestOf(log) ?? Infinity) > before) throw new Error('The list began anew meanwhile: a gap would stay')
      isDone = !hasMore(page)
      return { messages: page.items, from: firstOf(page) }
    })
    await load.catch(() => (isDone = true))
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
