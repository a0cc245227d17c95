// The certificate of RTMPS: two files, read again when they change, as programs that renew certificates leave them.
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'

/** Paths of PEM files: the certificate with its chain, and its key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

export interface Certificate {
  /** Of the files as they are; null as long as they cannot be read. */
  context(): SecureContext | null
  /** No longer looks at the files. */
  close(): void
}

/**
 * Reads a certificate and keeps it fresh. Files that cannot be read, or do not belong together, change nothing.
 * @param say told what happened, without what is in the files
 * @param everyMs how often is looked whether they changed
 */
export function openCertificate(files: CertificateFiles, say: (text: string) => void, everyMs = 2_000): Certificate {
  let context: SecureContext | null = null
  const load = () => {
    try {
      context = createSecureContext({ cert: readFileSync(files.cert), key: readFileSync(files.key) })
      say('RTMPS: the certificate was read')
    } catch (error) {
      const { code = (error as Error).name } = error as NodeJS.ErrnoException
      say(`RTMPS: the certificate cannot be read (${code}): ${files.cert}, ${files.key}`)
    }
  }
  // How they are is asked before they are read: what changes meanwhile is seen the next time.
  let seen = ''
  const look = () => {
    const now = [files.cert, files.key].map(markOf).join()
    if (now === seen) return
    seen = now
    load()
  }
  look()
  const timer = setInterval(look, everyMs).unref()
  return {
    context: () => context,
    close: () => clearInterval(timer),
  }
}

/** Another one for a file that was written or replaced. */
function markOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'away'
  }
}
