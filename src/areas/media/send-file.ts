// Sends a file by tus 1.0 from where the service has it.
import { type DetailedError, Upload } from 'tus-js-client'
import { uploadTicketHeader } from '#contract/entities/media.ts'
import { HttpError, NetworkError } from '#src/session/errors.ts'
import { nextPiece, pieceSizes } from './piece-size.ts'

interface Sending {
  readonly file: File
  /** Address of uploads, with the language of refusals. */
  readonly endpoint: string
  /** Address of this upload; null: it has not begun. */
  readonly url: string | null
  readonly ticket: string
  readonly signal: AbortSignal
  /** Bytes that the service has, or that are on their way. */
  readonly onProgress: (bytes: number) => void
}

/**
 * Sends what is missing of a file. An abort leaves the promise pending.
 * @throws HttpError when the service refuses, NetworkError without an answer
 */
export function sendFile({ file, endpoint, url, ticket, signal, onProgress }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    let since = performance.now()
    const upload = new Upload(file, {
      endpoint,
      uploadUrl: url,
      metadata: { filename: file.name },
      headers: { [uploadTicketHeader]: ticket },
      onUploadUrlAvailable: () => {
        // The service names the upload without the language of the page.
        if (upload.url) upload.url = Object.assign(new URL(upload.url), { search: new URL(endpoint).search }).href
      },
      chunkSize: pieceSizes.first,
      // The caller repeats: one delay for the whole upload, and new tickets.
      retryDelays: null,
      // The list of files knows unfinished uploads, on every device.
      storeFingerprintForResuming: false,
      onProgress: (bytes) => onProgress(bytes),
      onChunkComplete: (sent) => {
        const now = performance.now()
        upload.options.chunkSize = nextPiece(upload.options.chunkSize ?? pieceSizes.first, sent, now - since)
        since = now
      },
      onSuccess: () => resolve(),
      onError: (error) => reject(failureOf(error)),
    })
    signal.addEventListener('abort', () => void upload.abort(), { once: true })
    if (!signal.aborted) upload.start()
  })
}

/** Converts an error of the client into one of the session layer. */
function failureOf(error: Error | DetailedError): Error {
  const answer = 'originalResponse' in error ? error.originalResponse : null
  if (answer) return new HttpError(answer.getStatus(), new Headers(), bodyOf(answer.getBody()))
  return 'originalRequest' in error ? new NetworkError(error.message, { cause: error }) : error
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
