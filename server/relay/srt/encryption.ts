// SRT encryption: AES in counter mode. The caller generates the key and wraps it with a key derived from the passphrase
// (draft-sharabayko-srt 3.2.2, 6). Successful unwrapping proves that caller and relay have the same passphrase.
import { type Cipheriv, createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { KeyParity } from './packets.ts'

/** First bytes of key material: version 1, a keying message, `HAI` in five bits per letter. */
const signature = 0x12_20_29
const headBytes = 16
const saltBytes = 16
const checkBytes = 8
const cipherCounter = 2
/** Keys are for SRT packets of MPEG-TS (3.2.2, `SE`). */
const liveStream = 2
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

/**
 * Generates the key of a connection that this end encrypts.
 * @param keyBytes length of the key
 * @returns the keys, and their material for the peer, wrapped by the passphrase
 */
export async function createKeys(
  passphrase: string,
  keyBytes: 16 | 24 | 32,
): Promise<{ readonly keys: SrtKeys; readonly material: Buffer }> {
  const bits = (keyBytes * 8) as Bits
  const [key, salt] = [randomBytes(keyBytes), randomBytes(saltBytes)]
  const outer = await derive(passphrase, salt.subarray(checkBytes), iterations, keyBytes, 'sha1')
  const cipher = createCipheriv(`id-aes${bits}-wrap`, outer, wrapStart)
  const head = Buffer.alloc(headBytes)
  head.writeUIntBE(signature, 0, 3)
  // One key, the even one.
  head[3] = 1
  head[8] = cipherCounter
  head[10] = liveStream
  head[14] = saltBytes / 4
  head[15] = keyBytes / 4
  const material = Buffer.concat([head, salt, cipher.update(key), cipher.final()])
  return { keys: new SrtKeys(bits, salt, new Map([['even', key]])), material }
}

const blockBytes = 16

/**
 * AES in counter mode with one cipher for all packets, which encrypts their counters: a new cipher for each packet costs more than twice
 * as much.
 */
class CounterCipher {
  readonly #cipher: Cipheriv

  constructor(bits: Bits, key: Buffer) {
    this.#cipher = createCipheriv(`aes-${bits}-ecb`, key, null).setAutoPadding(false)
  }

  /** Encrypts, or decrypts. @param start initial counter, of which the last 16 bits are 0 */
  apply(payload: Buffer, start: Buffer): Buffer {
    const blocks = Math.ceil(payload.length / blockBytes)
    const counters = Buffer.allocUnsafe(blocks * blockBytes)
    for (let block = 0; block < blocks; block++) {
      start.copy(counters, block * blockBytes)
      counters.writeUInt16BE(block, block * blockBytes + 14)
    }
    const stream = this.#cipher.update(counters)
    const result = Buffer.allocUnsafe(payload.length)
    for (let at = 0; at < payload.length; at++) result[at] = (payload[at] ?? 0) ^ (stream[at] ?? 0)
    return result
  }
}

/** Keys of a connection. The caller changes them from time to time, even and odd alternately. */
export class SrtKeys {
  readonly #salt: Buffer
  readonly #ciphers: ReadonlyMap<KeyParity, CounterCipher>
  /** Parity of the key that encrypts sent packets. */
  readonly parity: KeyParity

  constructor(bits: Bits, salt: Buffer, keys: ReadonlyMap<KeyParity, Buffer>) {
    this.#salt = salt
    this.#ciphers = new Map([...keys].map(([parity, key]) => [parity, new CounterCipher(bits, key)]))
    this.parity = keys.has('even') ? 'even' : 'odd'
  }

  /** Decrypts a payload. @returns null when the key is unknown */
  decrypt(payload: Buffer, sequence: number, parity: KeyParity): Buffer | null {
    return this.#ciphers.get(parity)?.apply(payload, this.#start(sequence)) ?? null
  }

  encrypt(payload: Buffer, sequence: number): Buffer {
    const cipher = this.#ciphers.get(this.parity)
    if (!cipher) throw new Error('No key')
    return cipher.apply(payload, this.#start(sequence))
  }

  /** Initial counter: the first 112 bits of the salt, XORed with the sequence number in their last 32 bits (6.2.2). */
  #start(sequence: number): Buffer {
    const start = Buffer.alloc(blockBytes)
    this.#salt.copy(start, 0, 0, 14)
    start.writeUInt32BE((start.readUInt32BE(10) ^ sequence) >>> 0, 10)
    return start
  }
}
