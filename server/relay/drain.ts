// Drain of a node: it accepts no new projects, and ends when none is left, or after a deadline. The state lives in the process only,
// so that a start always accepts.

/** The node waits so long for another one to take over its last projects, milliseconds. */
const handOverMs = 5_000
/** Encoders are disconnected one after another within this time, seconds. */
const spreadSeconds = 60

export interface DrainOptions {
  /** Returns the projects on air. */
  readonly projects: () => readonly number[]
  /** Disconnects the encoder of a project; the project waits for it, here or at another node. */
  readonly disconnect: (projectId: number) => void
  /** Called when the state changes. */
  readonly onChange: () => void
  /** Called once, when the node should end. */
  readonly onDone: () => void
  /** Unix milliseconds. Default: the clock. */
  readonly now?: () => number
}

export interface Drain {
  /** Begins, or changes the deadline, also after it. @param ms time until it */
  begin(ms: number): void
  /** Accepts again, also after the deadline: the encoders that are left stay. */
  cancel(): void
  /** Returns the deadline, Unix milliseconds; null: the node accepts. */
  until(): number | null
  /** The deadline is over: no encoder is admitted, not even one of a project on air here. */
  isOver(): boolean
  /** Call it each second. */
  watch(): void
}

/** Creates the drain of a node that accepts. */
export function createDrain({ projects, disconnect, onChange, onDone, now = Date.now }: DrainOptions): Drain {
  let until: number | null = null
  /** Projects whose encoders are still connected after the deadline; null before it. */
  let left: number[] | null = null
  let perSecond = 0
  let doneAt = Infinity
  let isDone = false

  const isOver = () => left !== null
  /** Disconnects the encoders of the next second. */
  function move(): void {
    if (!left) {
      left = [...projects()]
      perSecond = Math.ceil(left.length / spreadSeconds)
      onChange()
    }
    for (const projectId of left.splice(0, perSecond)) disconnect(projectId)
    if (left.length === 0) doneAt = Math.min(doneAt, now() + handOverMs)
  }

  function change(to: number | null): void {
    until = to
    left = null
    doneAt = Infinity
    onChange()
  }

  return {
    begin: (ms) => change(now() + ms),
    cancel() {
      if (until !== null && !isDone) change(null)
    },
    until: () => until,
    isOver,
    watch() {
      if (until === null || isDone) return
      if (now() >= until) move()
      if (projects().length > 0 && now() < doneAt) return
      isDone = true
      onDone()
    },
  }
}
