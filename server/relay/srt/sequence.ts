// Numbers of packets: 31 bits that begin anew behind the last one (draft-sharabayko-srt 3.1).

const numbers = 2 ** 31

/** The number so many packets on. */
export const after = (sequence: number, by = 1): number => (((sequence + by) % numbers) + numbers) % numbers

/** How many packets lie between; negative when `to` is before. Right as long as they are less than 2^30 apart. */
export const distance = (from: number, to: number): number => ((to - from) << 1) >> 1

/** A run of packets, both ends included. */
export type Range = readonly [first: number, last: number]

/** Numbers in order as runs. @param most runs at most; what is beyond is left for another time */
export function toRanges(sequences: Iterable<number>, most: number): Range[] {
  const ranges: [number, number][] = []
  for (const sequence of sequences) {
    const last = ranges.at(-1)
    if (last && after(last[1]) === sequence) last[1] = sequence
    else if (ranges.length < most) ranges.push([sequence, sequence])
    else break
  }
  return ranges
}
