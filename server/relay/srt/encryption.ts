// SRT encryption: AES in counter mode. The caller generates the key and wraps it with a key derived from the passphrase
// (draft-sharabayko-srt 3.2.2, 6). Successful unwrapping proves that caller and relay have the same passphrase.
import { createCipheriv, createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { KeyParity } from './packets.ts'

/** First bytes of key material: version 1, a keying message, `HAI` in five bits per letter. */
const signature = 0x12_20_29
const headBytes = 16
const saltBytes = 16
const checkBytes = 8
const cipherCounter = 2
/** RFC 3394, 2.2.3.1. */
const wrapStart = Buffer.alloc(checkBytes, 0xa6)
/** PBKDF2 iterations (6.1.4). */
const iterations = 2048

type Bits = 128 | 192 | 256

/** Wrapped keys of a caller. */
export interface KeyMaterial {
  readonly bits: Bits
  /** Parities of the keys, in order. */
  readonly parities: readonly KeyParity[]
  readonly salt: Buffer
  readonly wrapped: Buffer
}

const paritiesOf: Readonly<Record<number, readonly KeyParity[]>> = { 1: ['even'], 2: ['odd'], 3: ['even', 'odd'] }
const bitsOf: Readonly<Record<number, Bits>> = { 4: 128, 6: 192, 8: 256 }

/** Reads key material. @returns null when it is invalid or unsupported */
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

/** Unwraps the keys. @returns null with a wrong passphrase */
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

/** Keys of a connection. The caller changes them from time to time, even and odd alternately. */
export class SrtKeys {
  readonly #bits: Bits
  readonly #salt: Buffer
  readonly #keys: ReadonlyMap<KeyParity, Buffer>

  constructor(bits: Bits, salt: Buffer, keys: ReadonlyMap<KeyParity, Buffer>) {
    this.#bits = bits
    this.#salt = salt
    this.#keys = keys
  }

  /** Parity of the key that encrypts sent packets. */
  get parity(): KeyParity {
    return this.#keys.has('even') ? 'even' : 'odd'
  }

  /** Decrypts a payload. @returns null when the key is unknown */
  decrypt(payload: Buffer, sequence: number, parity: KeyParity): Buffer | null {
    const key = this.#keys.get(parity)
    return key ? createDecipheriv(`aes-${this.#bits}-ctr`, key, this.#start(sequence)).update(payload) : null
  }

  encrypt(payload: Buffer, sequence: number): Buffer {
    const key = this.#keys.get(this.parity) ?? Buffer.alloc(this.#bits / 8)
    return createCipheriv(`aes-${this.#bits}-ctr`, key, this.#start(sequence)).update(payload)
  }

  /** Initial counter: the first 112 bits of the salt, XORed with the sequence number in their last 32 bits (6.2.2). */
  #start(sequence: number): Buffer {
    const start = Buffer.alloc(16)
    this.#salt.copy(start, 0, 0, 14)
    start.writeUInt32BE((start.readUInt32BE(10) ^ sequence) >>> 0, 10)
    return start
  }
}
