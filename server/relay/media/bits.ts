// Bits of a NAL unit (ITU-T H.264, 7.3 and 9.1; H.265 has the same forms).

/** Longest prefix of an Exp-Golomb code, bits. */
const prefixMax = 32

/** Reader of the bits of a NAL unit. Each method throws a RangeError beyond the end. */
export class Bits {
  readonly #bytes: Buffer
  #at = 0

  /** @param unit NAL unit with its emulation prevention bytes */
  constructor(unit: Buffer) {
    this.#bytes = withoutPrevention(unit)
  }

  /** Reads an unsigned number. @param count bits, at most 32 */
  read(count: number): number {
    let value = 0
    for (let left = count; left > 0; left--) value = value * 2 + this.#bit()
    return value
  }

  /** Reads a bit as a flag. */
  flag(): boolean {
    return this.#bit() === 1
  }

  /** Leaves out bits. */
  skip(count: number): void {
    this.#at += count
    if (this.#at > this.#bytes.length * 8) throw new RangeError('Beyond the NAL unit')
  }

  /** Reads an unsigned Exp-Golomb code. @param max a larger value is an error */
  unsigned(max = 2 ** 32): number {
    let [zeros, base] = [0, 1]
    for (; !this.flag(); base *= 2) if (++zeros > prefixMax) throw new RangeError('An Exp-Golomb code is too long')
    const value = base - 1 + this.read(zeros)
    if (value > max) throw new RangeError('A value is too large')
    return value
  }

  /** Reads a signed Exp-Golomb code. */
  signed(): number {
    const code = this.unsigned()
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2
  }

  #bit(): number {
    const byte = this.#bytes[this.#at >> 3]
    if (byte === undefined) throw new RangeError('Beyond the NAL unit')
    return (byte >> (7 - (this.#at++ & 7))) & 1
  }
}

/** A 3 after two zeros is not part of the content. */
function withoutPrevention(unit: Buffer): Buffer {
  const bytes = unit.filter((byte, at) => !(byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0))
  return Buffer.from(bytes)
}
