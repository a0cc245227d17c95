// Failure reasons as texts.

/** The connection that failed: to the server of a channel, or from the encoder. */
export type Connection = 'channel' | 'encoder'

interface Failure {
  readonly of: Connection
  readonly reason: string | null | undefined
  /** Message of the platform, or figures of the relay. */
  readonly words: string | null | undefined
}

/** Reasons with `words` measured by the relay, not sent by the platform. */
const measured: ReadonlySet<string> = new Set(['bitrate', 'codec'])

/**
 * Returns the text of a failure. An unknown reason is its own text.
 * @param t texts of `live`
 */
export function reasonText(
  t: (key: string, values: Readonly<Record<string, string>>) => string,
  { of, reason, words }: Failure,
): string {
  const ofChannel = reason ? t(`reason.${reason}`, { defaultValue: reason }) : ''
  const why = reason && of === 'encoder' ? t(`encoder.${reason}`, { defaultValue: ofChannel }) : ofChannel
  if (reason && words && measured.has(reason)) return `${why} (${words})`
  if (!words) return why
  // Chinese full stops include their own space.
  const gap = why === '' || why.endsWith('。') ? '' : ' '
  return `${why}${gap}${t('serverMessage', { words })}`
}
