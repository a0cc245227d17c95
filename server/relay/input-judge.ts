// Faults of the stream that an encoder sends, from the measures of each second and from decoded stills.
import type { DesiredState } from '#contract/relay/desired-state.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import {
  faultsOf,
  type FaultStates,
  type InputMeasures,
  judgeInput,
  noFaults,
  stillsMin,
} from '#server/domain/broadcasts/verdict.ts'

type FaultEvent = Extract<RelayEvent, { type: 'fault' }>

/** Result of a decoded still; null: unknown. */
export interface Still {
  readonly black: boolean | null
  readonly silent: boolean | null
}

export class InputJudge {
  /** What the platforms need. */
  needs: DesiredState['needs']
  #faults: FaultStates = noFaults
  /** Stills and seconds of sound in a row that were black and silent. */
  #still = { black: 0, silent: 0 }
  readonly #onChange: (change: Pick<FaultEvent, 'fault' | 'isOn'>) => void

  /** @param onChange a fault began, or is over */
  constructor(onChange: (change: Pick<FaultEvent, 'fault' | 'isOn'>) => void) {
    this.#onChange = onChange
  }

  get faults() {
    return faultsOf(this.#faults)
  }

  /** Another source is on air. */
  restart(): void {
    this.#still = { black: 0, silent: 0 }
  }

  /** What is on air is not judged: its user has no encoder to correct. */
  forget(): void {
    for (const fault of this.faults) this.#onChange({ fault, isOn: false })
    this.#faults = noFaults
  }

  /** Judges a second of the encoder on air. @param now wall clock, milliseconds */
  judge(measures: Omit<InputMeasures, 'black' | 'silent'>, now: number): void {
    const { states, changed } = judgeInput(this.#faults, { ...measures, ...this.#still }, { needs: this.needs, now })
    this.#faults = states
    for (const { fault, isOn } of changed) this.#onChange({ fault, isOn })
  }

  /** Takes a still. @returns whether a fault is suspected, or counts */
  look({ black, silent }: Still): 'fine' | 'suspect' | 'fault' {
    const count = (before: number, is: boolean | null) => (is === null ? before : is ? before + 1 : 0)
    this.#still = { black: count(this.#still.black, black), silent: count(this.#still.silent, silent) }
    const most = Math.max(this.#still.black, this.#still.silent)
    return most === 0 ? 'fine' : most < stillsMin ? 'suspect' : 'fault'
  }
}
