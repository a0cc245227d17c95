// Signals that leave with a commit: jobs that were scheduled, and projects that changed.

/** Signals of commits of all services on a database. A signal may be lost or repeated; the tables are the truth. */
export interface Signals {
  /**
   * Adds a listener of a channel, before `open`.
   * @param listener receives the payload after the commit
   */
  subscribe(channel: string, listener: (payload: string) => void): void
  /** Subscribes to the state of the connection; signals sent while it is down are lost. Never called on SQLite. */
  onConnection(listener: (isConnected: boolean) => void): void
  /**
   * Begins to listen, after the migrations.
   * @param onFault receives errors of the connection
   */
  open(onFault: (error: unknown) => void): void
  close(): Promise<void>
}
