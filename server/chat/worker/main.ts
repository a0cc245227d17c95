// Worker thread for vendors' chat clients: an exception or a runaway buffer in one of them ends this thread, not the service.
import { parentPort } from 'node:worker_threads'
import { collector } from '#server/core/collect.ts'
import type { FromWorker, ToWorker, WorkerConnection, WorkerReports } from './wire.ts'

const open = new Map<number, () => void>()
/** A message between threads costs more than its event: the queue behind it waits as long as that. */
const collect = collector<FromWorker>(25, (messages) => parentPort?.postMessage(messages))
const report = (message: FromWorker) => collect([message])

async function connect(connection: WorkerConnection, reports: WorkerReports): Promise<() => void> {
  if (connection.client === 'twitch-irc') return (await import('./twitch-irc.ts')).openTwitchIrc(connection, reports)
  return (await import('./twitch-eventsub.ts')).openTwitchEventSub(connection, reports)
}

/** Opens a connection. It ends once; what it reports afterwards is dropped. */
async function begin(id: number, connection: WorkerConnection): Promise<void> {
  let isOpen = true
  let close: () => void = () => undefined
  const stop = () => {
    isOpen = false
    open.delete(id)
    // The clients reconnect after their handlers have run, so that a close inside a handler would be undone.
    setImmediate(() => close())
  }
  const end = (ended: Extract<FromWorker, { ended: unknown }>['ended']) => {
    if (!isOpen) return
    stop()
    report({ id, ended })
  }
  open.set(id, stop)
  const reports: WorkerReports = {
    event: (event) => isOpen && report({ id, event }),
    malformed: () => isOpen && report({ id, malformed: true }),
    lost: (message) => end({ message }),
    refused: (reason, message) => end({ message, reason }),
  }
  try {
    close = await connect(connection, reports)
    if (!isOpen) setImmediate(() => close())
  } catch (error) {
    end({ message: error instanceof Error ? error.message : 'The client failed' })
  }
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.do === 'open') void begin(message.id, message.connection)
  else open.get(message.id)?.()
})
