// Entry point of the relay: a separate process, so that the service cannot stall a stream. With several processes it supervises them.
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { startNode } from './node.ts'
import { nodeOptions, processPlace } from './options.ts'
import { isShared, mustBeFree, superviseProcesses } from './processes.ts'
import { portTakenCode } from './program.ts'

const log = (text: string) => process.stdout.write(`${text}\n`)
process.stdout.on('error', () => undefined)
// Before the node runs: its default would end the process.
process.on('SIGUSR2', () => undefined)
/** Cancels a drain. Its default is to be ignored, as older releases do. */
const cancelSignal = 'SIGURG'

const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** A process that does not end is killed after this time, milliseconds. */
const killMs = 8_000

async function runNode(): Promise<void> {
  const end = async () => {
    await Promise.race([node.close(), wait(5_000)])
    process.exit(0)
  }
  const options = nodeOptions(process.env, { log, onQuit: () => void end() })
  const node = await startNode(options)
  // Writes the compile cache now, so that it exists after a kill too: it saves memory at the next start.
  flushCompileCache()
  log(`Streams come in at rtmp://${node.host}:${node.port}/live (process ${process.pid})`)
  process.on('SIGUSR2', () => node.drain(options.drainMs))
  process.on(cancelSignal, () => node.undrain())
  for (const signal of endings) process.once(signal, () => void end())
  // The supervisor has died: the next one starts processes with the same names.
  process.once('disconnect', () => void end())
}

try {
  const place = processPlace(process.env)
  const { count, number, listen } = place
  if (number > 0) await runNode()
  else {
    // Another installation could share the ports; generations share them on purpose.
    if (!isShared({ ...place, count: 1 })) await mustBeFree(listen.port, listen.host)
    const supervisor = superviseProcesses({ count, env: process.env, log, onEnd: (code) => process.exit(code) })
    process.on('SIGUSR2', () => supervisor.drain('SIGUSR2'))
    process.on(cancelSignal, () => supervisor.resume(cancelSignal))
    for (const name of endings)
      process.once(name, () => {
        supervisor.end('SIGTERM')
        setTimeout(() => supervisor.end('SIGKILL'), killMs).unref()
      })
  }
} catch (error) {
  const { code, port, message } = error as NodeJS.ErrnoException & { readonly port?: number }
  const isTaken = code === 'EADDRINUSE'
  const why = isTaken ? `another program listens on port ${port} (RTMP_PORT, RTMPS_PORT)` : message
  process.stderr.write(`The relay does not start: ${why}\n`)
  // Open handles would keep the process alive; the service starts it again.
  process.exit(isTaken ? portTakenCode : 1)
}
