// Ports of a node: RTMP, RTMPS and SRT.
import { type Certificate, type CertificateFiles, openCertificate } from '#server/core/certificate.ts'
import type { Relay } from './relay.ts'

export interface PortOptions {
  readonly listen: { readonly host: string; readonly port: number }
  /** Accepts RTMPS on another port. */
  readonly secure?: (CertificateFiles & { readonly port: number }) | undefined
  /** UDP port of SRT. Without it SRT is off. */
  readonly srtPort?: number | undefined
  /** Writes a log line. It must not contain secrets. */
  readonly log: (text: string) => void
}

export interface NodePorts {
  readonly port: number
  readonly securePort: number | undefined
  readonly srtPort: number | undefined
  readonly certificate: Certificate | undefined
}

/** Opens the ports. SRT is optional: without its port the node starts. @throws if an RTMP or RTMPS port is taken */
export async function openPorts(relay: Relay, { listen, secure, srtPort, log }: PortOptions): Promise<NodePorts> {
  const port = await relay.listen(listen.port, listen.host)
  const certificate = secure && openCertificate(secure, log)
  const securePort = secure && (await relay.listen(secure.port, listen.host, certificate))
  const openSrt = async (wanted: number) => {
    try {
      return await relay.listenSrt(wanted, listen.host)
    } catch (error) {
      log(`SRT is off: ${(error as Error).message}`)
      return undefined
    }
  }
  return { port, securePort, srtPort: srtPort === undefined ? undefined : await openSrt(srtPort), certificate }
}
