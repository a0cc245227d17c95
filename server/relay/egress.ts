// What a node sends in all, where somebody pays for that, and whether one more may begin. Whoever has begun goes on.

/** What somebody is sent, kilobits per second; 0 as long as nobody knows. */
export type Rate = () => number

export interface Egress {
  /** @returns what gives the place back; null: there is no room */
  take(rate: Rate): (() => void) | null
}

/** A tenth is left for scenes above the average, and for what the network adds to media. */
const filled = 0.9

/** @param kbpsMax kilobits per second of media to channels and players together */
export function createEgress(kbpsMax: number): Egress {
  const places = new Map<symbol, Rate>()
  return {
    take(rate) {
      const taken = [...places.values()].reduce((sum, one) => sum + one(), 0)
      if (taken + rate() > kbpsMax * filled) return null
      const place = Symbol('place')
      places.set(place, rate)
      return () => void places.delete(place)
    },
  }
}
