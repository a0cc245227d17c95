// A service that serves HTTPS with the files of TLS_CERT and TLS_KEY, which a test makes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { freePort } from '#server/relay/testing/free-port.ts'
import { selfSigned } from '#server/relay/testing/programs.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

export interface TlsService {
  readonly world: World
  /** Temporary folder of the test. */
  readonly folder: string
  /** Paths in settings. There are no files yet. */
  readonly files: { readonly cert: string; readonly key: string }
  readonly port: number
  /** Of plain HTTP. */
  readonly httpPort: number
  /** Makes a self-signed pair in a folder of its own. */
  pair(): Promise<{ readonly cert: string; readonly key: string }>
  /** Fingerprint and names of the certificate that the port presents; null: the handshake fails. */
  presented(): Promise<string | null>
  close(): Promise<void>
}

/** Makes the service. It does not listen yet. */
export async function tlsService(): Promise<TlsService> {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-tls-'))
  const files = { cert: join(folder, 'live', 'cert.pem'), key: join(folder, 'live', 'key.pem') }
  const [port, httpPort] = [await freePort(), await freePort()]
  const world = await testApp({
    TLS_CERT: files.cert,
    TLS_KEY: files.key,
    PORT: String(port),
    HTTP_PORT: String(httpPort),
  })
  return {
    world,
    folder,
    files,
    port,
    httpPort,
    pair: () => selfSigned(mkdtempSync(join(folder, 'pair-'))),
    presented: () => presentedAt(port),
    async close() {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Fingerprint and names of the certificate that a port presents; null: the handshake fails. */
export const presentedAt = (port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const { fingerprint256, subjectaltname } = socket.getPeerCertificate()
      resolve(`${fingerprint256} ${subjectaltname}`)
      socket.destroy()
    })
    socket.on('error', () => resolve(null)).on('close', () => resolve(null))
  })
