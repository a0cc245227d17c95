// A message list and a service for tests of the catch-up.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import { createMessageLog } from '#src/components/message-list/message-log.ts'
import { HttpError } from '#src/session/errors.ts'
import { createCatchUp } from './catch-up.ts'

/**
 * Creates a log with its catch-up and a service.
 * @param stored messages of the service; tests change them
 * @param fits filter of the service
 * @param most messages that fit into one page
 */
export function scene(stored: ChatMessage[], fits?: (message: ChatMessage) => boolean, most?: number) {
  const log = createMessageLog()
  const asked: unknown[] = []
  let failure: Error | null = null
  let refusals = 0
  let forgotten = 0
  let during = () => {}
  const ask = async (page: { readonly after?: number; readonly limit: number }) => {
    asked.push(page.after)
    const { after = 0 } = page
    const limit = Math.min(page.limit, most ?? Infinity)
    const found = stored.filter((one) => one.seq > after && (fits?.(one) ?? true))
    const items = page.after === undefined ? found.slice(-limit) : found.slice(0, limit)
    during()
    await Promise.resolve()
    if (failure) throw failure
    return { total: stored.length, items, ...(most !== undefined && { more: items.length < found.length }) }
  }
  const shown = () => log.view().live.flatMap((row) => (row.kind === 'message' ? [row.message, ...row.same] : []))
  const seen = () => shown().map(({ seq }) => seq)
  const gone = () => shown().flatMap(({ deleted, seq }) => (deleted ? [seq] : []))
  const arrive = (seq: number) => log.receive([{ is: 'message', message: messageOf(seq) }])
  return {
    log,
    asked,
    seen,
    gone,
    arrive,
    ...createCatchUp(log, ask, {
      isFiltered: fits !== undefined,
      onForget: () => void (forgotten += 1),
      onRefused: () => void (refusals += 1),
    }),
    forgotten: () => forgotten,
    refusals: () => refusals,
    setDown: (value: boolean) => void (failure = value ? new HttpError(503, new Headers(), null) : null),
    fail: (error: Error | null) => void (failure = error),
    onAsk: (run: () => void) => void (during = run),
  }
}

/** Messages with these numbers. */
export const some = (...seqs: number[]) => seqs.map((seq) => messageOf(seq))
export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
