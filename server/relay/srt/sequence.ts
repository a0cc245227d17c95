// Sequence numbers of packets: 31 bits with wraparound (draft-sharabayko-srt 3.1).

const numbers = 2 ** 31

/** Sequence number `by` packets later. */
export const after = (sequence: number, by = 1): number => (((sequence + by) % numbers) + numbers) % numbers

/** Packets from one number to another; negative when `to` is earlier. Valid for distances below 2^30. */
export const distance = (from: number, to: number): number => ((to - from) << 1) >> 1

/** Range of packets, both ends included. */
export type Range = readonly [first: number, last: number]

/** Groups ordered numbers into ranges. @param most limit of ranges; further numbers are left out */
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
