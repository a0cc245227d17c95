// Port of upgrades to the machine: the units of the service and the relays, and the processes that use a release.

/** State of the service after a restart. */
export type ServiceState = 'ready' | 'starting' | 'failed'

/** What an upgrade changes beside files of releases. Tests have a machine of child processes. */
export interface Machine {
  /**
   * Stops the service, and lets its next start wait.
   * @returns lets it start; the end of this process, by a kill too, does the same
   */
  hold(): Promise<() => void>
  /** Restarts the service with the release that the link leads to. Does not wait for it. */
  restart(): Promise<void>
  /** Returns the state of the service of this release. Another release that still answers counts as starting. */
  stateOf(version: string): Promise<ServiceState>
  /** Writes the units of a release. @returns sentences about units that were edited by hand */
  writeUnits(version: string): Promise<readonly string[]>
  /** Returns the versions of the running relays. */
  relays(): Promise<readonly string[]>
  /** Starts a relay, or cancels the drain of a running one. */
  startRelay(version: string): Promise<void>
  /** Returns whether the relay of this release is connected to the service. */
  isRelayConnected(version: string): Promise<boolean>
  /** Lets a relay end after its last broadcast. One that has ended meanwhile is no error. */
  drainRelay(version: string): Promise<void>
  stopRelay(version: string): Promise<void>
  /** Returns the versions that running processes use. */
  used(): Promise<ReadonlySet<string>>
}
