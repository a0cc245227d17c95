// Changes of chats: numbered under the lock of the broadcast, and published after the commit in batches: the first one immediately,
// later ones each 100 ms, at most 50 changes each.
import { randomUUID } from 'node:crypto'
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { collector } from '#server/core/collect.ts'
import type { RealtimeControl, Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { type HeadRow, lockHeads, updateHead } from './messages-store.ts'

const everyMs = 100
const changesMax = 50

/** The chat of a broadcast in a transaction that holds its lock. */
export class ChatWriter {
  readonly head: HeadRow
  /** Number of the last change before the transaction. */
  readonly after: number
  /** Changes to publish, in the order of their numbers. A range without a change is published, too. */
  readonly changes: ChatChange[] = []

  constructor(head: HeadRow) {
    this.head = head
    this.after = head.seq
  }

  get id(): number {
    return this.head.broadcast_id
  }

  /** Returns the number of the next change. */
  next(): number {
    this.head.seq++
    return this.head.seq
  }
}

/** Locks the chats of broadcasts until the transaction ends, in the order of their ids. */
export const lockChats = async (trx: Trx, broadcastIds: readonly number[]): Promise<ChatWriter[]> =>
  (await lockHeads(trx, broadcastIds)).map((head) => new ChatWriter(head))

/** As `lockChats`, of one broadcast. */
export async function lockChat(trx: Trx, broadcastId: number): Promise<ChatWriter> {
  const [chat] = await lockChats(trx, [broadcastId])
  if (!chat) throw new Error(`Broadcast ${broadcastId} has no counters`)
  return chat
}

/** Stores the counters of a chat, at the end of the transaction. */
export const storeChat = (trx: Trx, { id, head: { seq, total, date_oldest } }: ChatWriter): Promise<void> =>
  updateHead(trx, id, { seq, total, date_oldest })

/** Changes of one transaction: all after a number, up to another one. */
interface Commit {
  readonly after: number
  readonly upto: number
  readonly changes: readonly ChatChange[]
}

type Collect = ReturnType<typeof collector<Commit>>
const byRealtime = new WeakMap<RealtimeControl, Map<number, Collect>>()

/** Publishes the changes of a chat. Call it after the transaction. Never throws. */
export const publishChat = (services: Pick<Services, 'realtime'>, { id, after, head, changes }: ChatWriter): void =>
  publishCommit(services, id, { after, upto: head.seq, changes })

/** Publishes changes without numbers. Never throws. */
export const publishUnnumbered = (
  services: Pick<Services, 'realtime'>,
  broadcastId: number,
  changes: readonly ChatChange[],
): void => publishCommit(services, broadcastId, { after: 0, upto: 0, changes })

function publishCommit({ realtime }: Pick<Services, 'realtime'>, broadcastId: number, commit: Commit): void {
  if (commit.changes.length === 0 && commit.after === commit.upto) return
  const all = byRealtime.get(realtime) ?? new Map<number, Collect>()
  byRealtime.set(realtime, all)
  const pass = (commits: readonly Commit[]) => {
    for (const batch of batchesOf(commits)) publishBatch(realtime, broadcastId, batch)
  }
  const collect = all.get(broadcastId) ?? collector(everyMs, pass, () => all.delete(broadcastId))
  all.set(broadcastId, collect)
  collect([commit])
}

type Batch = Pick<ChatBatch, 'after' | 'upto' | 'payload'>

const publishBatch = (realtime: RealtimeControl, broadcast_id: number, batch: Batch): void =>
  realtime.publish(
    { type: 'broadcast', id: broadcast_id },
    { event: 'messages', broadcast_id, event_id: randomUUID(), restream_id: null, platform: null, ...batch },
  )

/** Joins commits to batches. A batch ends where another replica has committed the next change. */
function batchesOf(commits: readonly Commit[]): Batch[] {
  const batches: Required<Batch>[] = []
  const loose = commits.filter(({ after, upto }) => after === upto).flatMap(({ changes }) => changes)
  for (let at = 0; at < loose.length; at += changesMax)
    batches.push({ after: 0, upto: 0, payload: loose.slice(at, at + changesMax) })
  // Two transactions of a process may report their commits in the other order.
  for (const { after, upto, changes } of commits.toSorted((a, b) => a.after - b.after)) {
    if (after === upto) continue
    let last = batches.at(-1)
    if (last?.upto !== after) batches.push((last = { after, upto: after, payload: [] }))
    for (const change of changes) {
      if (last.payload.length === changesMax) batches.push((last = { after: last.upto, upto: last.upto, payload: [] }))
      last.payload.push(change)
      if ('rev' in change) last.upto = change.rev
    }
    last.upto = upto
  }
  return batches.map(({ after, upto, payload }) => (after === upto ? { payload } : { after, upto, payload }))
}
