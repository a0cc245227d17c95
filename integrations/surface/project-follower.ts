// Follows a project: its channels and what is on air, kept current by realtime.
import { type CallError, type Client, isTransient, type Output, type RealtimeState } from '#integrations/client/main.ts'

/** A channel of the project. */
export interface FollowedChannel {
  readonly id: number
  readonly name: string
  readonly active: boolean
}

/** What is known of the project. */
export interface ProjectState {
  readonly connection: RealtimeState
  /** Null until it is known, and without access. */
  readonly status: Output<'broadcasts.broadcasts.status'> | null
  readonly channels: readonly FollowedChannel[]
}

/** Follows until `close`. */
export interface ProjectFollower {
  readonly state: ProjectState
  /** Reads everything now, and resolves when it is there. */
  refresh(): Promise<void>
  close(): void
}

/** Listener of a follower. */
export interface FollowerListener {
  readonly changed: (state: ProjectState) => void
  /** A read failed; the next change reads again. */
  readonly failed: (error: CallError) => void
}

/** Delay of a read that failed for a time, milliseconds. */
const againMs = 5_000

/** Follows a project. */
export function followProject(client: Client, projectId: number, listener: FollowerListener): ProjectFollower {
  const project_id = projectId
  let state: ProjectState = { connection: 'connecting', status: null, channels: [] }
  let isClosed = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let reading: Promise<void> | null = null
  let isStale = false
  const set = (change: Partial<ProjectState>) => {
    if (isClosed) return
    state = { ...state, ...change }
    listener.changed(state)
  }
  const failed = (error: CallError) => {
    if (isClosed) return
    listener.failed(error)
    clearTimeout(retry)
    if (isTransient(error)) retry = setTimeout(() => void refresh(), againMs)
  }

  async function read(): Promise<void> {
    const [status, channels] = await Promise.all([
      client.call('broadcasts.broadcasts.status', { project_id }),
      readChannels(client, project_id),
    ])
    if (!status.ok) return failed(status.error)
    if ('kind' in channels) return failed(channels)
    if (live.state !== 'refused') set({ status: status.data, channels })
  }

  /** A change during a read is read after it. */
  async function refresh(): Promise<void> {
    isStale = true
    reading ??= (async () => {
      while (isStale && !isClosed) {
        isStale = false
        await read()
      }
    })().finally(() => {
      reading = null
    })
    return reading
  }

  const live = client.realtime(projectId, {
    onState: (connection) =>
      set(connection === 'refused' ? { connection, status: null, channels: [] } : { connection }),
  })
  live.subscribe('project_live', projectId, {
    subscribed: (isComplete) => void (isComplete || refresh()),
    refused: () => set({ connection: 'refused', status: null, channels: [] }),
    data: (one) => {
      if (one.event === 'live-status') set({ status: one.payload })
      if (one.event === 'changed' && one.payload.stale.some((id) => /^(channels|broadcasts)/.test(id))) void refresh()
    },
  })

  return {
    get state() {
      return state
    },
    refresh,
    close() {
      isClosed = true
      clearTimeout(retry)
      live.close()
    },
  }
}

/** Returns all channels of a project, or why they cannot be read. */
async function readChannels(client: Client, project_id: number): Promise<FollowedChannel[] | CallError> {
  const found: FollowedChannel[] = []
  for (;;) {
    const page = await client.call('channels.channels.search', { project_id, limit: 100, offset: found.length })
    if (!page.ok) return page.error
    const { results, total } = page.data
    found.push(...results.map(({ group_id: id, name, active }) => ({ id, name, active })))
    if (results.length === 0 || found.length >= total) return found
  }
}
