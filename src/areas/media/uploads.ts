// Uploads of this tab. They continue while the user visits other pages, one at a time: two would share one line.
import type { QueryClient } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Output } from '#contract/core/operation.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { mediaLimits } from '#contract/entities/media.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { makeStale } from '#src/api/make-stale.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { createRetries } from '#src/lib/backoff.ts'

/** `waiting`: without a connection, it continues by itself. `failed`: `problem` has the reason. */
export type UploadState = 'queued' | 'sending' | 'waiting' | 'paused' | 'failed'

export interface Upload {
  readonly key: number
  readonly projectId: number
  /** Null: not announced to the service yet. */
  readonly mediaId: number | null
  readonly name: string
  readonly size: number
  /** Bytes, with those on their way. */
  readonly sent: number
  readonly state: UploadState
  readonly problem: Error | null
}

/** Permission of the service to upload a film. */
interface Permit {
  readonly endpoint: string
  readonly url: string
  readonly ticket: string
}

/** Parts of an upload that pages do not show. */
interface Job {
  readonly file: File
  readonly queries: QueryClient
  abort: AbortController
  permit: Permit | null
  /** The upload may exist at the service. */
  hasBegun: boolean
  /** This tab added the film. */
  readonly isNew: boolean
}

const store = createStore<{ readonly uploads: readonly Upload[] }>(() => ({ uploads: [] }))
const jobs = new Map<number, Job>()
let lastKey = 0

/** Progress is shown so often, milliseconds. */
const showMs = 250

/** Returns the uploads of this tab, of all projects. */
export const useUploads = (): readonly Upload[] => useStore(store, ({ uploads }) => uploads)

const find = (key: number): Upload | undefined => store.getState().uploads.find((one) => one.key === key)

function change(key: number, part: Partial<Upload>): void {
  store.setState(({ uploads }) => ({ uploads: uploads.map((one) => (one.key === key ? { ...one, ...part } : one)) }))
}

function drop(key: number): void {
  jobs.get(key)?.abort.abort()
  jobs.delete(key)
  store.setState(({ uploads }) => ({ uploads: uploads.filter((one) => one.key !== key) }))
  if (jobs.size > 0) return
  unwatch?.()
  unwatch = null
}

/** Returns the name of a file in the library: without its extension, as long as allowed. */
export const nameOf = ({ name }: File): string => {
  const clean = name.replaceAll(/\p{Cc}/gu, ' ').trim()
  return (clean.replace(/(?<=.)\.[^.]*$/, '') || clean).slice(0, mediaLimits.name)
}

interface Adding {
  readonly projectId: number
  readonly file: File
  /** Film that the file continues; null: a new one. */
  readonly mediaId: number | null
  readonly queries: QueryClient
}

/** Adds a file to the queue. */
export function addUpload({ projectId, file, mediaId, queries }: Adding): void {
  const key = ++lastKey
  jobs.set(key, {
    file,
    queries,
    abort: new AbortController(),
    permit: null,
    hasBegun: mediaId !== null,
    isNew: mediaId === null,
  })
  const upload = { key, projectId, mediaId, name: nameOf(file), size: file.size, sent: 0, problem: null } as const
  store.setState(({ uploads }) => ({ uploads: [...uploads, { ...upload, state: 'queued' }] }))
  unwatch ??= watch()
  startNext()
}

/** Stops sending. What the service has stays. */
export function pauseUpload(key: number): void {
  jobs.get(key)?.abort.abort()
  change(key, { state: 'paused' })
  startNext()
}

/** Continues a paused or failed upload, when it is its turn. */
export function continueUpload(key: number): void {
  change(key, { state: 'queued', problem: null })
  startNext()
}

/** Ends an upload here. The film at the service is for the caller to remove. */
export function forgetUpload(key: number): void {
  drop(key)
  startNext()
}

const isActive = ({ state }: Upload): boolean => state === 'sending' || state === 'waiting'

function startNext(): void {
  const { uploads } = store.getState()
  const next = uploads.find(({ state }) => state === 'queued')
  if (!next || uploads.some(isActive)) return
  const job = jobs.get(next.key)
  if (!job) return
  job.abort = new AbortController()
  change(next.key, { state: 'sending' })
  void run(next.key, job, job.abort.signal).finally(startNext)
}

/** Sends a file until the service has all of it, refuses, or the user stops it. */
async function run(key: number, job: Job, signal: AbortSignal): Promise<void> {
  const retries = createRetries()
  let renewals = 0
  while (!signal.aborted) {
    const before = find(key)?.sent ?? 0
    try {
      await attempt(key, job, signal)
      if (signal.aborted) return
      return settle(key, job)
    } catch (error) {
      if (signal.aborted) return
      if ((find(key)?.sent ?? 0) > before) {
        retries.reset()
        renewals = 0
      }
      const isExpired = toApiError(error).status === 401 && job.permit !== null && renewals++ < 3
      if (isExpired) job.permit = null
      else if (mayPass(error)) await waitFor(key, retries.next(), signal)
      else return fail(key, job, error as Error)
    }
  }
}

/** The service has all of the file: what follows are steps of the film. */
function settle(key: number, { queries }: Job): void {
  const mediaId = find(key)?.mediaId
  drop(key)
  // The list would call the upload interrupted until it is fetched again.
  queries.setQueriesData<Output<typeof mediaFiles.list>>({ queryKey: mediaFiles.list.id.split('.') }, (known) => {
    if (!known) return known
    const next = { step: 'waiting', done: 0 } as const
    return { results: known.results.map((file) => (file.media_id === mediaId ? { ...file, ...next } : file)) }
  })
  makeStale(queries, { queryKey: ['media'] })
}

/** A later attempt may succeed. 409 and 423: another request still holds the upload. */
function mayPass(error: unknown): boolean {
  const { isTransient, status } = toApiError(error)
  return isTransient || status === 409 || status === 423
}

async function waitFor(key: number, ms: number, signal: AbortSignal): Promise<void> {
  change(key, { state: 'waiting' })
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
  if (!signal.aborted) change(key, { state: 'sending' })
}

/** Shows why an upload cannot go on. A film that has nothing yet is removed, so that no empty one stays. */
async function fail(key: number, job: Job, problem: Error): Promise<void> {
  const { projectId: project_id, mediaId, sent = 0 } = find(key) ?? {}
  change(key, { state: 'failed', problem })
  if (project_id !== undefined && mediaId && job.isNew && sent === 0) {
    const removed = call(mediaFiles.remove, { project_id, media_id: mediaId }, { sessionId: sessionOf(job.queries) })
    // What cannot be removed expires at the service.
    await removed.catch(() => undefined)
    Object.assign(job, { permit: null, hasBegun: false })
    change(key, { mediaId: null })
  }
  makeStale(job.queries, { queryKey: ['media'] })
}

async function attempt(key: number, job: Job, signal: AbortSignal): Promise<void> {
  job.permit ??= await permitOf(key, job, signal)
  const { endpoint, url, ticket } = job.permit
  // The client is loaded with the first upload.
  const { sendFile } = await import('./send-file.ts')
  let shownAt = 0
  const onProgress = (sent: number) => {
    const now = performance.now()
    if (signal.aborted || (now - shownAt < showMs && sent < job.file.size)) return
    shownAt = now
    change(key, { sent, state: 'sending' })
  }
  const known = job.hasBegun ? url : null
  job.hasBegun = true
  await sendFile({ file: job.file, endpoint, url: known, ticket, signal, onProgress })
}

/** Announces a new film, or asks for a new ticket of a known one. */
async function permitOf(key: number, { queries }: Job, signal: AbortSignal): Promise<Permit> {
  const upload = find(key)
  signal.throwIfAborted()
  const { projectId: project_id = 0, mediaId = null, name = '' } = upload ?? {}
  const options = { sessionId: sessionOf(queries) }
  if (mediaId !== null) {
    const { upload_url, file_id, ticket } = await call(mediaFiles.session, { project_id, media_id: mediaId }, options)
    return permit(upload_url, file_id, ticket)
  }
  const { id, url, file_id, ticket } = await call(videos.create, { project_id, name }, options)
  change(key, { mediaId: id })
  makeStale(queries, { queryKey: ['media'] })
  return permit(url, file_id, ticket)
}

function permit(path: string, fileId: string, ticket: string): Permit {
  const { baseUrl, language } = apiRuntime()
  const address = (rest: string) => new URL(path + rest, baseUrl || location.origin).href
  // Refusals are in the language of the page.
  const query = `?language=${language()}`
  return { endpoint: address(query), url: address(`/${fileId}${query}`), ticket }
}

/** Ends what `watch` began; null: there are no uploads. */
let unwatch: (() => void) | null = null

/** While there are uploads: asks before the tab closes, and ends them with the session. */
function watch(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  const off = apiRuntime().session.onAuthStateChange(({ type }) => {
    if (type !== 'signed_out' && type !== 'session_changed') return
    for (const { key } of store.getState().uploads) drop(key)
  })
  return () => {
    removeEventListener('beforeunload', ask)
    off()
  }
}
