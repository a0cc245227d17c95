// An entry of the command palette.

export interface Command {
  /** Where label and group may be those of another one too. */
  readonly id?: string
  readonly label: string
  readonly group: string
  /** Leads somewhere, or changes how things look: the palette is closed first. */
  readonly run?: () => void
  /** Does something that takes a while and may fail: the palette says what became of it. */
  readonly act?: () => Promise<unknown>
  /** Is asked before `act`. */
  readonly ask?: { readonly title: string; readonly text: string; readonly keep: string }
}
