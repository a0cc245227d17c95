// Database interface of readers; `server/domain/chat` implements it.
import type { ChatEvent, ChatPlace } from '#server/core/chat.ts'

/** A lease of a source: only its epoch may write. */
export interface ReaderLease {
  readonly epoch: number
  /** Position of the reader before; null: none. */
  readonly cursor: string | null
  /** End of the lease of a reader that stopped without a release; null: nothing is missing. */
  readonly since: Date | null
}

/** Store of readers. Times are those of the database's clock. */
export interface ReaderStore {
  /**
   * Reconciles the chats that readers should read now, one per source.
   * @returns them, and the time at which the first of them ends; null: none does unless something changes
   */
  reconcile(): Promise<{ readonly places: readonly ChatPlace[]; readonly until: Date | null }>
  /** Returns those of sources that no holder reads: never claimed, released, or with an expired lease. */
  free(sources: readonly string[]): Promise<readonly string[]>
  /** Takes the lease of a source for 15 s. A new holder raises the epoch. @returns null while another holder has it */
  claim(place: ChatPlace, holder: string): Promise<ReaderLease | null>
  /** Extends the leases of a holder. @returns the sources that it still has */
  renew(
    holder: string,
    readers: readonly { readonly source: string; readonly epoch: number }[],
  ): Promise<ReadonlySet<string>>
  /** Ends the lease; the next holder starts at the cursor without a gap. */
  release(source: string, epoch: number): Promise<void>
  /** Stores events of a source in one transaction. @returns false, storing nothing, when the epoch is no longer valid */
  write(place: ChatPlace, epoch: number, events: readonly ChatEvent[]): Promise<boolean>
}
