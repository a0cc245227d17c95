// Starts the worker thread with the first connection, and ends it after the last one.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ChatEvent } from '#server/core/chat.ts'
import { ChatLost, ChatRefused, type ReaderContext } from '#server/chat/port.ts'
import { type PushStream, pushStream } from '#server/chat/push-stream.ts'
import type { FromWorker, ToWorker, WorkerConnection } from './wire.ts'

/** Entry point beside this file: the source, or the output of `npm run build`. */
const program = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'main.ts' : 'chat-worker.js')
/** Heap of the thread, megabytes: a client that buffers without limit ends at it. */
const heapMax = 96
const idleMs = 10_000

interface Thread {
  readonly worker: Worker
  readonly readers: Map<number, { readonly stream: PushStream<ChatEvent>; readonly malformed: () => void }>
  idle: NodeJS.Timeout | null
}

// One thread per test server, because the clients read its port from the environment.
const threads = new Map<string | null, Thread>()
let lastId = 0

/** Opens a connection in the thread. @throws ChatLost also when the thread dies; ChatRefused */
export async function* openInWorker(ctx: ReaderContext, connection: WorkerConnection): AsyncGenerator<ChatEvent> {
  const { base } = connection
  const thread = threads.get(base) ?? start(base)
  const id = ++lastId
  const stream = pushStream<ChatEvent>(ctx.signal)
  thread.readers.set(id, { stream, malformed: ctx.malformed })
  if (thread.idle) clearTimeout(thread.idle)
  try {
    thread.worker.postMessage({ do: 'open', id, connection } satisfies ToWorker)
    yield* stream
  } finally {
    thread.readers.delete(id)
    thread.worker.postMessage({ do: 'close', id } satisfies ToWorker)
    if (thread.readers.size === 0) thread.idle = setTimeout(() => stop(base, thread), idleMs).unref()
  }
}

function start(base: string | null): Thread {
  const port = base === null ? null : new URL(base).port
  const worker = new Worker(program, {
    env: { ...process.env, ...(port === null ? {} : { TWURPLE_MOCK_API_PORT: port }) },
    resourceLimits: { maxOldGenerationSizeMb: heapMax },
    stdin: false,
  })
  worker.unref()
  const thread: Thread = { worker, readers: new Map(), idle: null }
  const died = (error?: unknown) => {
    if (threads.get(base) === thread) threads.delete(base)
    for (const { stream } of thread.readers.values())
      stream.end(new ChatLost('The thread of chat clients ended', { cause: error }))
  }
  const receive = (message: FromWorker): void => {
    const reader = thread.readers.get(message.id)
    if (!reader) return
    if ('event' in message) reader.stream.push(message.event)
    else if ('malformed' in message) reader.malformed()
    else reader.stream.end(errorOf(message.ended))
  }
  worker.on('message', (messages: readonly FromWorker[]) => messages.forEach(receive))
  worker.on('error', died)
  worker.on('exit', died)
  threads.set(base, thread)
  return thread
}

const errorOf = ({ message, reason }: Extract<FromWorker, { ended: unknown }>['ended']): Error =>
  reason === undefined ? new ChatLost(message) : new ChatRefused(reason, message)

function stop(base: string | null, thread: Thread): void {
  if (threads.get(base) === thread) threads.delete(base)
  void thread.worker.terminate()
}
