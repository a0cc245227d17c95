// Certificate of a TLS port: two files, reloaded when they change.
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'

/** Paths of PEM files: the certificate with its chain, and its key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate in use. */
export interface LoadedCertificate {
  readonly context: SecureContext
  /** Content of the files. */
  readonly pem: { readonly cert: Buffer; readonly key: Buffer }
  /** Validity, Unix milliseconds. */
  readonly from: number
  readonly until: number
}

export interface Certificate {
  /** Returns the context of the current files; null: they could not be read yet. */
  context(): SecureContext | null
  /** Returns the certificate in use; null: the files could not be read yet. */
  current(): LoadedCertificate | null
  /** Calls the listener with each certificate that is loaded, the current one included. */
  onLoad(listener: (loaded: LoadedCertificate) => void): void
  /** Stops watching the files. */
  close(): void
}

/**
 * Loads a certificate and watches its files. Files that are unreadable, cut off or of different pairs do not replace the current
 * one, and neither does an expired certificate while the current one is valid.
 * @param log writes a log line, without content of the files
 * @param about the ports, which begin each log line
 * @param everyMs polling interval, milliseconds
 */
export function openCertificate(
  files: CertificateFiles,
  log: (text: string) => void,
  everyMs = 2_000,
  about = 'RTMPS',
): Certificate {
  let current: LoadedCertificate | null = null
  const listeners: ((loaded: LoadedCertificate) => void)[] = []
  const load = () => {
    try {
      const loaded = readCertificate(files)
      const now = Date.now()
      if (loaded.until < now && current !== null && current.until > now)
        return log(`${about}: the new certificate has expired already, the one before stays in use: ${files.cert}`)
      current = loaded
      log(`${about}: the certificate was read`)
      for (const listener of listeners) listener(loaded)
    } catch (error) {
      const { code = (error as Error).name } = error as NodeJS.ErrnoException
      log(`${about}: the certificate cannot be read (${code}): ${files.cert}, ${files.key}`)
    }
  }
  // The mark is read before the files, so that a change meanwhile is noticed in the next round.
  let seen = ''
  const check = () => {
    const now = [files.cert, files.key].map(markOf).join()
    if (now === seen) return
    seen = now
    load()
  }
  check()
  const timer = setInterval(check, everyMs).unref()
  return {
    context: () => current?.context ?? null,
    current: () => current,
    onLoad(listener) {
      listeners.push(listener)
      if (current) listener(current)
    },
    close: () => clearInterval(timer),
  }
}

/** Reads both files. @throws for a missing or cut-off file, and for the key of another certificate */
export function readCertificate(files: CertificateFiles): LoadedCertificate {
  const pem = { cert: readFileSync(files.cert), key: readFileSync(files.key) }
  const context = createSecureContext(pem)
  const { validFromDate, validToDate } = new X509Certificate(pem.cert)
  return { context, pem, from: validFromDate.getTime(), until: validToDate.getTime() }
}

/** Returns a mark that changes with the file. */
function markOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'away'
  }
}
