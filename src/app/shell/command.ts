// An entry of the command palette.

export interface Command {
  /** Needed where label and group are not unique. */
  readonly id?: string
  readonly label: string
  readonly group: string
  /** Other words that find it. */
  readonly words?: string
  /** Navigates or changes the look: the palette closes first. */
  readonly run?: () => void
  /** Runs an action that takes time and may fail: the palette shows its result. */
  readonly act?: () => Promise<unknown>
  /** Confirmation before `act`. */
  readonly ask?: { readonly title: string; readonly text: string; readonly keep: string }
}
