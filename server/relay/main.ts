// Entry point of a relay node: a separate process, so that the service cannot stall a stream.
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { startNode } from './node.ts'
import { nodeOptions } from './options.ts'
import { portTakenCode } from './program.ts'

const log = (text: string) => process.stdout.write(`${text}\n`)
process.stdout.on('error', () => undefined)
// Before the node runs: its default would end the process.
process.on('SIGUSR2', () => undefined)

try {
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
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void end())
} catch (error) {
  const { code, port, message } = error as NodeJS.ErrnoException & { readonly port?: number }
  const isTaken = code === 'EADDRINUSE'
  const why = isTaken ? `another program listens on port ${port} (RTMP_PORT, RTMPS_PORT)` : message
  process.stderr.write(`The relay does not start: ${why}\n`)
  // Open handles would keep the process alive; the service starts it again.
  process.exit(isTaken ? portTakenCode : 1)
}
