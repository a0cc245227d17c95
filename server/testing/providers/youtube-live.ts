// Double of YouTube's live broadcasts with states: what is shown, bound and listed changes by calls, and calls can fail on the way.
// Sources: developers.google.com/youtube/v3/live/docs/liveBroadcasts, …/liveStreams.
import { type DoublePlatform, DoubleReply, type DoubleRequest } from './double.ts'
import { youtubeDouble } from './platforms.ts'

type Part = Record<string, unknown>
type LifeCycle = 'created' | 'ready' | 'live' | 'complete' | 'revoked'

/** A broadcast there. */
export interface LiveBroadcast {
  readonly id: string
  readonly snippet: Part
  readonly contentDetails: Part & { boundStreamId?: string | undefined }
  readonly status: Part & { lifeCycleStatus: LifeCycle }
  /** Time from which lists show it, milliseconds. */
  readonly listedAt: number
}

/**
 * What becomes of a call. `unsent`: it never arrives. `unheard`: it is done, and its answer is lost. `held`: it is done, and its
 * answer comes when the test releases it, as for a process that ended or stands still. A response: a refusal.
 */
export type Fate = 'unsent' | 'unheard' | 'held' | DoubleReply | null

const host = 'www.googleapis.com/youtube/v3'
const lost = new DoubleReply(503, {})
const refused = (status: number, message: string) => new DoubleReply(status, { error: { code: status, message } })
/** Statuses of `liveBroadcasts.list`. */
const listed: Readonly<Record<string, readonly LifeCycle[]>> = {
  active: ['live'],
  upcoming: ['created', 'ready'],
  completed: ['complete', 'revoked'],
}

/** YouTube with one stream, `stream-1`, whose key is `youtube-key`. */
export class YoutubeLive {
  readonly broadcasts: LiveBroadcast[] = []
  /** Calls of this double, `POST liveBroadcasts/bind`. */
  readonly calls: string[] = []
  /** Bodies of `videos.update`. */
  readonly described: Part[] = []
  /** The stream of the account is received. */
  isReceived = true
  /** A bound broadcast begins with its stream, where it says so. */
  startsItself = true
  /** Time until a new broadcast is listed, milliseconds. */
  lagMs = 0
  /** Decides about each call, by its name. */
  fateOf: (name: string) => Fate = () => null
  /** Resolves with the first held call. */
  readonly #holding = Promise.withResolvers<void>()
  readonly #released = Promise.withResolvers<void>()
  readonly #now: () => number
  #made = 0

  /** @param now clock of the double, milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  get held(): Promise<void> {
    return this.#holding.promise
  }

  /** Answers the held calls. */
  release(): void {
    this.#released.resolve()
  }

  /** The broadcasts that the service made. */
  get made(): readonly LiveBroadcast[] {
    return this.broadcasts.filter(({ id }) => id.startsWith('made-'))
  }

  /** A broadcast of the user that is bound and shown. */
  show(id: string, status: Part = { privacyStatus: 'unlisted', selfDeclaredMadeForKids: false }): LiveBroadcast {
    const broadcast: LiveBroadcast = {
      id,
      snippet: { title: 'Sunday show', description: 'Every week', scheduledStartTime: '2026-03-08T18:00:00Z' },
      contentDetails: { boundStreamId: 'stream-1', enableAutoStop: false, enableDvr: true, latencyPreference: 'low' },
      status: { lifeCycleStatus: 'live', ...status },
      listedAt: 0,
    }
    this.broadcasts.push(broadcast)
    return broadcast
  }

  /** The platform, for `platformDouble`. */
  get platform(): DoublePlatform {
    const route = (name: string, answer: (request: DoubleRequest) => unknown, query: readonly string[] = ['part']) => [
      name.replace(' ', ` ${host}/`),
      { query, answer: (request: DoubleRequest) => this.#meet(name, () => answer(request)) },
    ]
    const routes = Object.fromEntries([
      route('GET liveStreams', () => ({ items: [this.#stream()] }), ['part', 'mine']),
      route('GET liveBroadcasts', ({ query }) => ({ items: this.#list(query) })),
      route('POST liveBroadcasts', ({ body }) => this.#insert(body)),
      route('PUT liveBroadcasts', ({ body }) => this.#update(body)),
      route('DELETE liveBroadcasts', ({ query }) => this.#remove(query), ['id']),
      route('POST liveBroadcasts/bind', ({ query }) => this.#bind(query), ['id', 'part']),
      route('POST liveBroadcasts/transition', ({ query }) => this.#begin(query), ['id', 'part', 'broadcastStatus']),
      route('PUT videos', ({ body }) => (this.described.push(body), body)),
      route('GET videos', ({ query }) => ({ items: this.#videos(query) }), ['part', 'id']),
    ]) as DoublePlatform['routes']
    return { ...youtubeDouble, routes: { ...youtubeDouble.routes, ...routes } }
  }

  async #meet(name: string, answer: () => unknown): Promise<unknown> {
    this.calls.push(name)
    const fate = this.fateOf(name)
    if (fate === 'unsent' || fate instanceof DoubleReply) return fate === 'unsent' ? lost : fate
    const done = answer()
    if (fate === 'unheard') return lost
    if (fate === 'held') {
      this.#holding.resolve()
      await this.#released.promise
    }
    return done
  }

  #stream() {
    return {
      id: 'stream-1',
      contentDetails: { isReusable: true },
      cdn: {
        ingestionInfo: { streamName: 'youtube-key', ingestionAddress: 'rtmp://a.rtmp.youtube.com/live2' },
      },
      status: { streamStatus: this.isReceived ? 'active' : 'inactive' },
    }
  }

  #list(query: URLSearchParams): readonly LiveBroadcast[] {
    const id = query.get('id')
    if (id !== null) return this.broadcasts.filter((one) => one.id === id)
    const states = listed[query.get('broadcastStatus') ?? ''] ?? []
    return this.broadcasts.filter(
      ({ status, listedAt }) => states.includes(status.lifeCycleStatus) && listedAt <= this.#now(),
    )
  }

  #videos(query: URLSearchParams) {
    const ids = (query.get('id') ?? '').split(',')
    const found = this.broadcasts.filter(({ id }) => ids.includes(id))
    if (query.get('part') === 'snippet,status')
      return found.map(({ id, snippet }) => ({ id, snippet: { ...snippet, categoryId: '22' }, status: {} }))
    return found.map(({ id, snippet, status: { lifeCycleStatus } }) => ({
      id,
      liveStreamingDetails: {
        scheduledStartTime: snippet['scheduledStartTime'],
        ...(lifeCycleStatus === 'live' && { actualStartTime: '2026-11-22T10:00:00Z', concurrentViewers: '21' }),
        ...(lifeCycleStatus === 'complete' && { actualEndTime: '2026-11-22T10:00:00Z' }),
      },
    }))
  }

  #insert({ snippet, status, contentDetails }: DoubleRequest['body']): unknown {
    const { title, scheduledStartTime } = (snippet ?? {}) as Part
    const details = (contentDetails ?? {}) as Part
    if (!title) return refused(400, 'Title is required')
    if (!(Date.parse(String(scheduledStartTime)) > this.#now()))
      return refused(400, 'Scheduled start time is in the past')
    if (!(status as Part | undefined)?.['privacyStatus']) return refused(400, 'Privacy status is required')
    const made: LiveBroadcast = {
      id: `made-${++this.#made}`,
      snippet: snippet as Part,
      contentDetails: details,
      status: { ...(status as Part), lifeCycleStatus: 'created' },
      listedAt: this.#now() + this.lagMs,
    }
    this.broadcasts.push(made)
    return made
  }

  #update({ id, snippet, status }: DoubleRequest['body']): unknown {
    const at = this.broadcasts.findIndex((one) => one.id === id)
    const broadcast = this.broadcasts[at]
    if (!broadcast) return refused(404, 'Not found')
    const { title, scheduledStartTime } = (snippet ?? {}) as Part
    if (!title || !scheduledStartTime) return refused(400, 'Title and scheduled start time are required')
    if (!(status as Part | undefined)?.['privacyStatus']) return refused(400, 'Privacy status is required')
    const { lifeCycleStatus } = broadcast.status
    if (lifeCycleStatus !== 'created' && lifeCycleStatus !== 'ready') return refused(403, 'Not updatable')
    const next = { ...broadcast, snippet: snippet as Part, status: { ...(status as Part), lifeCycleStatus } }
    this.broadcasts.splice(at, 1, next)
    return next
  }

  /** A broadcast that has begun cannot be deleted (`liveBroadcastDeletionNotAllowed`). The answer is empty. */
  #remove(query: URLSearchParams): unknown {
    const broadcast = this.#find(query)
    if (!broadcast) return refused(404, 'Not found')
    if (!['created', 'ready'].includes(broadcast.status.lifeCycleStatus)) return refused(403, 'Deletion not allowed')
    this.broadcasts.splice(this.broadcasts.indexOf(broadcast), 1)
    return new DoubleReply(204, '')
  }

  #bind(query: URLSearchParams): unknown {
    const broadcast = this.#find(query)
    if (!broadcast || query.get('streamId') !== 'stream-1') return refused(404, 'Not found')
    broadcast.contentDetails.boundStreamId = 'stream-1'
    const begins = this.isReceived && this.startsItself && broadcast.contentDetails['enableAutoStart'] === true
    broadcast.status.lifeCycleStatus = begins ? 'live' : 'ready'
    return broadcast
  }

  #begin(query: URLSearchParams): unknown {
    const broadcast = this.#find(query)
    if (!broadcast) return refused(404, 'Not found')
    if (broadcast.status.lifeCycleStatus === 'live') return refused(403, 'Redundant transition')
    if (!this.isReceived || broadcast.status.lifeCycleStatus !== 'ready') return refused(403, 'Stream is inactive')
    broadcast.status.lifeCycleStatus = 'live'
    return broadcast
  }

  #find = (query: URLSearchParams) => this.broadcasts.find(({ id }) => id === query.get('id'))
}
