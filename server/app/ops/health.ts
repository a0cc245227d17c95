// `relaydeck health`: readiness of the service of this machine, at the port of browsers.
import { existsSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { portsOf } from './ports.ts'

/** Answer of the service. */
export interface Health {
  readonly isReady: boolean
  /** For the operator, such as `ready` or `not ready (503)`. */
  readonly words: string
}

const answerMs = 5_000
const [reloadMs, againMs] = [3_000, 200]
const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Requests the readiness of the service, by HTTPS with TLS_CERT. Before the first certificate exists, plain HTTP counts: the
 * order needs a running service.
 * @param values variables of the service by name
 */
export async function askHealth(values: Readonly<Record<string, string | undefined>>): Promise<Health> {
  const { HOST = '127.0.0.1', TLS_CERT = '' } = values
  const host = everyAddress[HOST] ?? HOST
  const { port, plain } = portsOf(values)
  const hasCertificate = TLS_CERT !== '' && existsSync(TLS_CERT)
  const ask = () => statusOf(hasCertificate, host, hasCertificate ? port : plain)
  const end = Date.now() + reloadMs
  let answer = await ask()
  // The service reads a new certificate within 2 s, and refuses handshakes until it has the first one.
  while (hasCertificate && typeof answer === 'string' && answer !== 'ECONNREFUSED' && Date.now() < end) {
    await wait(againMs)
    answer = await ask()
  }
  const by = hasCertificate ? 'HTTPS: ' : ''
  if (answer !== 200) return { isReady: false, words: `not ready (${by}${answer})` }
  return {
    isReady: true,
    words: TLS_CERT === '' || hasCertificate ? 'ready' : 'ready, without HTTPS: no certificate yet',
  }
}

/** Returns the status of `/readyz`, or why there is none. */
function statusOf(isSecure: boolean, host: string, port: number): Promise<number | string> {
  // The certificate names the public host, not the address of this machine.
  const options = { host, port, path: '/readyz', timeout: answerMs, rejectUnauthorized: false }
  return new Promise((resolve) => {
    const asking = (isSecure ? requestSecure : requestPlain)(options, (answer) => {
      resolve(answer.resume().statusCode ?? 'no answer')
    })
    asking
      .on('timeout', () => asking.destroy())
      .on('error', ({ code = 'no answer' }: NodeJS.ErrnoException) => resolve(code))
      .on('close', () => resolve('no answer'))
      .end()
  })
}
