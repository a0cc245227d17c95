// Sizes of the pieces of an upload. The service cuts a request body after 30 s, so a piece takes about ten seconds.

const mebibyte = 1024 * 1024

/** First, smallest and largest piece, bytes. */
export const pieceSizes = { first: mebibyte, least: mebibyte / 4, most: 32 * mebibyte } as const

/** Time that a piece should take, milliseconds. */
const goalMs = 10_000

/**
 * Returns the size of the next piece, bytes: at most twice the last one, so that a line that is fast for a moment does not cost a long piece.
 * @param sent bytes of the last piece @param ms its time
 */
export function nextPiece(size: number, sent: number, ms: number): number {
  const fits = (sent / Math.max(ms, 1)) * goalMs
  return Math.round(Math.min(pieceSizes.most, Math.max(pieceSizes.least, Math.min(fits, 2 * size))))
}
