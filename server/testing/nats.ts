// A NATS server of a test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from '#server/relay/testing/free-port.ts'
import { eventually } from './eventually.ts'

/** Tests with NATS are skipped where `scripts/house/media.ts` could not install it; under CI they fail. */
export const hasNats = Boolean(process.env['CI']) || spawnSync('nats-server', ['-v']).status === 0

export interface NatsServer {
  readonly url: string
  /** Starts the server again on its port. */
  start(): Promise<void>
  kill(): Promise<void>
}

/** Starts a server on a free port. */
export async function natsServer(): Promise<NatsServer> {
  const port = await freePort()
  let child: ChildProcess | null = null
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.unref()
    })
  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
      await eventually(accepts)
    },
    async kill() {
      const running = child
      child = null
      if (running?.kill('SIGKILL')) await once(running, 'exit')
    },
  }
  await server.start()
  return server
}
