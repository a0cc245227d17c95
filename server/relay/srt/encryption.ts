// Encryption of what goes over the line: AES in counter mode, by a key that the caller makes up and sends wrapped in one made
// of the passphrase (draft-sharabayko-srt 3.2.2, 6). Who can unwrap it knows the passphrase, and so does who wrapped it.
import { createCipheriv, createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { KeyParity } from './packets.ts'

/** What the first bytes of key material are: version 1, a message with keys, `HAI` in five bits each. */
const signature = 0x12_20_29
const headBytes = 16
const saltBytes = 16
const checkBytes = 8
const cipherCounter = 2
/** RFC 3394, 2.2.3.1. */
const wrapStart = Buffer.alloc(checkBytes, 0xa6)
/** Turns that make a guess expensive (6.1.4). */
const iterations = 2048

type Bits = 128 | 192 | 256

/** Keys as the caller wrapped them. */
export interface KeyMaterial {
  readonly bits: Bits
  /** Which keys are in it, in their order. */
  readonly parities: readonly KeyParity[]
  readonly salt: Buffer
  readonly wrapped: Buffer
}

const paritiesOf: Readonly<Record<number, readonly KeyParity[]>> = { 1: ['even'], 2: ['odd'], 3: ['even', 'odd'] }
const bitsOf: Readonly<Record<number, Bits>> = { 4: 128, 6: 192, 8: 256 }

/** Reads key material. @returns null when it is none that we can take */
export function readKeyMaterial(content: Buffer): KeyMaterial | null {
  if (content.length < headBytes || content.readUIntBE(0, 3) !== signature) return null
  const parities = paritiesOf[(content[3] ?? 0) & 3]
  const bits = bitsOf[content[15] ?? 0]
  if (!parities || !bits || content[8] !== cipherCounter || (content[14] ?? 0) * 4 !== saltBytes) return null
  const end = headBytes + saltBytes + checkBytes + (parities.length * bits) / 8
  if (content.length < end) return null
  const salt = content.subarray(headBytes, headBytes + saltBytes)
  return { bits, parities, salt: Buffer.from(salt), wrapped: Buffer.from(content.subarray(headBytes + saltBytes, end)) }
}

const derive = promisify(pbkdf2)

/** Makes the keys readable. @returns null by a wrong passphrase */
export async function unwrap(material: KeyMaterial, passphrase: string): Promise<SrtKeys | null> {
  const { bits, parities, salt, wrapped } = material
  const outer = await derive(passphrase, salt.subarray(checkBytes), iterations, bits / 8, 'sha1')
  try {
    const decipher = createDecipheriv(`id-aes${bits}-wrap`, outer, wrapStart)
    const keys = Buffer.concat([decipher.update(wrapped), decipher.final()])
    return new SrtKeys(
      bits,
      salt,
      new Map(parities.map((parity, index) => [parity, keys.subarray((index * bits) / 8, ((index + 1) * bits) / 8)])),
    )
  } catch {
    return null
  }
}

/** The keys of a connection. The caller makes new ones from time to time, which are even and odd in turns. */
export class SrtKeys {
  readonly #bits: Bits
  readonly #salt: Buffer
  readonly #keys: ReadonlyMap<KeyParity, Buffer>

  constructor(bits: Bits, salt: Buffer, keys: ReadonlyMap<KeyParity, Buffer>) {
    this.#bits = bits
    this.#salt = salt
    this.#keys = keys
  }

  /** By which key we encrypt what we send. */
  get parity(): KeyParity {
    return this.#keys.has('even') ? 'even' : 'odd'
  }

  /** What was encrypted by a key that we have. @returns null by another */
  decrypt(payload: Buffer, sequence: number, parity: KeyParity): Buffer | null {
    const key = this.#keys.get(parity)
    return key ? createDecipheriv(`aes-${this.#bits}-ctr`, key, this.#start(sequence)).update(payload) : null
  }

  encrypt(payload: Buffer, sequence: number): Buffer {
    const key = this.#keys.get(this.parity) ?? Buffer.alloc(this.#bits / 8)
    return createCipheriv(`aes-${this.#bits}-ctr`, key, this.#start(sequence)).update(payload)
  }

  /** Where the counter begins: the salt's first 112 bits with the number of the packet in their last 32 (6.2.2). */
  #start(sequence: number): Buffer {
    const start = Buffer.alloc(16)
    this.#salt.copy(start, 0, 0, 14)
    start.writeUInt32BE((start.readUInt32BE(10) ^ sequence) >>> 0, 10)
    return start
  }
}
