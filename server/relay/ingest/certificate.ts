// RTMPS certificate: two files, reloaded when they change.
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'

/** Paths of PEM files: the certificate with its chain, and its key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

export interface Certificate {
  /** Returns the context of the current files; null while they cannot be read. */
  context(): SecureContext | null
  /** Stops watching the files. */
  close(): void
}

/**
 * Loads a certificate and watches its files. Unreadable or mismatched files do not replace the current one.
 * @param log writes a log line, without content of the files
 * @param everyMs polling interval, milliseconds
 */
export function openCertificate(files: CertificateFiles, log: (text: string) => void, everyMs = 2_000): Certificate {
  let context: SecureContext | null = null
  const load = () => {
    try {
      context = createSecureContext({ cert: readFileSync(files.cert), key: readFileSync(files.key) })
      log('RTMPS: the certificate was read')
    } catch (error) {
      const { code = (error as Error).name } = error as NodeJS.ErrnoException
      log(`RTMPS: the certificate cannot be read (${code}): ${files.cert}, ${files.key}`)
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
    context: () => context,
    close: () => clearInterval(timer),
  }
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
