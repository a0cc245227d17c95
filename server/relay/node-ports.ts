// Ports of a node: RTMP, RTMPS and SRT, and those of its own for players where processes share the others.
import { type Certificate, type CertificateFiles, openCertificate } from '#server/core/certificate.ts'
import type { Relay } from './relay.ts'

export interface PortOptions {
  readonly listen: { readonly host: string; readonly port: number }
  /** Accepts RTMPS on another port. */
  readonly secure?: (CertificateFiles & { readonly port: number }) | undefined
  /** UDP port of SRT. Without it SRT is off. */
  readonly srtPort?: number | undefined
  /** Other processes of the machine listen on the same ports. */
  readonly isShared?: boolean
  /** First and last port for players of this process, on TCP and UDP, where ports are shared. Default: a free port. */
  readonly pullPorts?: readonly [first: number, last: number] | undefined
  /** Writes a log line. It must not contain secrets. */
  readonly log: (text: string) => void
}

export interface NodePorts {
  readonly port: number
  readonly securePort: number | undefined
  readonly srtPort: number | undefined
  /** Ports that lead players to this process. */
  readonly pull: { readonly rtmp: number; readonly srt: number | undefined }
  readonly certificate: Certificate | undefined
  /** Closes the shared ports, or opens them again. Connections stay. */
  setOpen(isOpen: boolean): void
}

/** Opens the ports. SRT is optional: without its port the node starts. @throws if an RTMP or RTMPS port is taken */
export async function openPorts(relay: Relay, options: PortOptions): Promise<NodePorts> {
  const { listen, secure, srtPort: wantedSrt, isShared = false, log } = options
  const { host } = listen
  const certificate = secure && openCertificate(secure, log)
  const openSrt = async (wanted: number | undefined, shared: boolean) => {
    try {
      return wanted === undefined ? undefined : await relay.listenSrt(wanted, host, shared)
    } catch (error) {
      log(`SRT is off: ${(error as Error).message}`)
      return undefined
    }
  }
  const open = async (ports: { rtmp: number; secure: number | undefined; srt: number | undefined }) => ({
    rtmp: await relay.listen(ports.rtmp, host, { isShared }),
    secure: ports.secure === undefined ? undefined : await relay.listen(ports.secure, host, { certificate, isShared }),
    srt: await openSrt(ports.srt, isShared),
  })
  let doors: Awaited<ReturnType<typeof open>> | null = await open({
    rtmp: listen.port,
    secure: secure?.port,
    srt: wantedSrt,
  })
  const ports = { rtmp: doors.rtmp.port, secure: doors.secure?.port, srt: doors.srt?.port }
  const pull = isShared ? await openPull(relay, options, ports.srt !== undefined) : { rtmp: ports.rtmp, srt: ports.srt }

  let isWanted = true
  let change = Promise.resolve()
  /** One change after another: a port is not opened while it closes. */
  async function follow(): Promise<void> {
    if (isWanted === (doors !== null)) return
    if (isWanted) doors = await open(ports)
    else {
      for (const door of [doors?.rtmp, doors?.secure, doors?.srt]) door?.stop()
      doors = null
    }
  }
  return {
    port: ports.rtmp,
    securePort: ports.secure,
    srtPort: ports.srt,
    pull,
    certificate,
    setOpen(isOpen) {
      isWanted = isOpen || !isShared
      change = change.then(follow).catch((error: unknown) => log(`The ports stay closed: ${(error as Error).message}`))
    },
  }
}

/** Opens a port with the same number on TCP and, with SRT, on UDP. @throws when none of the range is free */
async function openPull(
  relay: Relay,
  { listen: { host }, pullPorts = [0, 0] }: PortOptions,
  hasSrt: boolean,
): Promise<NodePorts['pull']> {
  const [first, last] = pullPorts
  for (let port = first; port <= last; port++) {
    try {
      const rtmp = await relay.listen(port, host)
      const srt = hasSrt ? await relay.listenSrt(rtmp.port, host).catch(() => null) : undefined
      if (srt !== null) return { rtmp: rtmp.port, srt: srt?.port }
      rtmp.stop()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error(`no free port for players from ${first} to ${last} (RELAY_PULL_PORTS)`)
}
