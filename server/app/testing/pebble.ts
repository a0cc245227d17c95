// A certificate authority of a test: Debian's pebble, with its own DNS double in which each name leads to this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { freePort } from '#server/relay/testing/free-port.ts'
import { selfSigned } from '#server/relay/testing/programs.ts'
import { eventually } from '#server/testing/eventually.ts'

/** Tests with pebble are skipped where it is not installed; under CI they fail. */
export const hasPebble = Boolean(process.env['CI']) || spawnSync('pebble', ['-help']).status !== null

export interface Pebble {
  readonly directory: string
  /** Certificate of its own HTTPS (PEM file), which clients have to trust. */
  readonly trust: string
  kill(): Promise<void>
}

/**
 * Starts pebble, which rejects a fifth of all nonces.
 * @param folder for its files
 * @param httpPort port at which it asks for answers
 */
export async function startPebble(folder: string, httpPort: number): Promise<Pebble> {
  const { cert, key } = await selfSigned(folder)
  const [port, managementPort, dnsPort, dnsControlPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const file = join(folder, 'pebble.json')
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: cert,
    privateKey: key,
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  writeFileSync(file, JSON.stringify({ pebble }))
  const names = ['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', '-dns01', `127.0.0.1:${dnsPort}`]
  const control = ['-management', `127.0.0.1:${dnsControlPort}`, '-http01', '', '-https01', '', '-tlsalpn01', '']
  const dns = spawn('pebble-challtestsrv', [...names, ...control], { stdio: 'ignore' })
  const child = spawn('pebble', ['-config', file, '-dnsserver', `127.0.0.1:${dnsPort}`], {
    stdio: 'ignore',
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' },
  })
  const directory = `https://localhost:${port}/dir`
  await eventually(() => answers(directory))
  return {
    directory,
    trust: cert,
    async kill() {
      for (const one of [child, dns]) await end(one)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    request(url, { rejectUnauthorized: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
      .on('error', () => resolve(false))
      .end()
  })
