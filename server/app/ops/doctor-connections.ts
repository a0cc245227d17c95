// Checks of the clock, of the servers of the settings, and of the certificate.
import { readCertificate } from '#server/core/certificate.ts'
import type { Connections } from './connections.ts'
import { broken, type Finding, warning } from './finding.ts'

/** Offset of the clock from which sign-ins fail, milliseconds; an alert fires at the same. */
const clockMostMs = 30_000
/** Part of the life of a certificate at which its alert fires. */
const lastPart = 0.2

/** Returns the problems of the clock and of configured servers. */
export function connectionFindings({ clockMs, servers }: Omit<Connections, 'films'>): Finding[] {
  const seconds = Math.round(Math.abs(clockMs) / 1000)
  const clock = warning(
    `The clock of this machine is ${seconds} s ${clockMs < 0 ? 'behind' : 'ahead of'} that of the database`,
    'Synchronize both clocks: apt install systemd-timesyncd, then see: timedatectl',
  )
  const away = Object.entries(servers).flatMap(([name, reason]) =>
    reason === null
      ? []
      : [broken(`The server of ${name} gives no answer: ${reason}`, `Start it, or correct ${name} in relaydeck.env`)],
  )
  return [...(Math.abs(clockMs) > clockMostMs ? [clock] : []), ...away]
}

/** Checks the files of TLS_CERT and TLS_KEY. @param values variables of the service by name */
export function checkCertificate(values: Readonly<Record<string, string | undefined>>, now = Date.now()): Finding[] {
  const { TLS_CERT: cert = '', TLS_KEY: key = '' } = values
  if (cert === '' || key === '') return []
  const remedy = 'Order one: relaydeck certificate <name> --accept-terms. Or run the tool that renews it'
  try {
    const { from, until } = readCertificate({ cert, key })
    const end = new Date(until).toISOString()
    if (until <= now) return [broken(`The certificate ${cert} ended at ${end}`, remedy)]
    if (from > now) return [broken(`The certificate ${cert} begins at ${new Date(from).toISOString()}`, remedy)]
    if (until - now < (until - from) * lastPart) return [warning(`The certificate ${cert} ends at ${end}`, remedy)]
    return []
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const what = code === 'ENOENT' ? 'There is no certificate yet' : 'The certificate cannot be used'
    return [broken(`${what}: ${message}`, remedy)]
  }
}
