// Findings of `relaydeck doctor`.

/** A fault and its remedy. */
export interface Finding {
  readonly level: 'warning' | 'broken'
  readonly what: string
  readonly remedy: string
}

/** Makes a finding that keeps the installation from working. */
export const broken = (what: string, remedy: string): Finding => ({ level: 'broken', what, remedy })

/** Makes a finding that can wait. */
export const warning = (what: string, remedy: string): Finding => ({ level: 'warning', what, remedy })
