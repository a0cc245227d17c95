// HTTP requests of the clients of a cluster, each from an address of its own.
import { request } from 'node:http'

/** Response of a request; `status` 0: none. */
export interface Reply {
  readonly status: number
  readonly body: string
}

/** Clients wait so long for an answer, milliseconds. */
const waitMs = 30_000

/** Sends a request. Never throws. */
export function send(to: {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly method?: string
  /** Source address. */
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Longest wait for the answer, milliseconds. */
  readonly waitMs?: number
}): Promise<Reply> {
  const { host, port, path, method = 'GET', from, headers = {}, body } = to
  return new Promise((resolve) => {
    const json =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = { host, port, path, method, agent: false, headers: { ...json, ...headers } }
    const sent = request({ ...options, ...(from === undefined ? {} : { localAddress: from }) }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += String(chunk)))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
      answer.on('error', () => resolve({ status: 0, body: '' }))
    })
    const timer = setTimeout(() => sent.destroy(), to.waitMs ?? waitMs)
    sent.on('close', () => {
      clearTimeout(timer)
      resolve({ status: 0, body: '' })
    })
    sent.on('error', () => undefined)
    sent.end(body)
  })
}
