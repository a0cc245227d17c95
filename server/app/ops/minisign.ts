// Signatures of releases in the format of minisign: Ed25519 over BLAKE2b-512.
import { createHash, createPublicKey, type KeyObject, sign as signBytes, verify as verifyBytes } from 'node:crypto'

/** A public key, as a line of a key file. */
export interface PublicKey {
  readonly id: Buffer
  readonly key: KeyObject
}

/** Algorithms: of a key, and of a signature over the hash of a file. */
const ofKey = Buffer.from('Ed')
const ofHash = Buffer.from('ED')
const spki = Buffer.from('302a300506032b6570032100', 'hex')
const untrusted = 'untrusted comment: '
const trusted = 'trusted comment: '

const hashOf = (content: Buffer): Buffer => createHash('blake2b512').update(content).digest()

/** Reads the lines of a file with public keys. Other lines are comments. */
export function readKeys(text: string): readonly PublicKey[] {
  const lines = text.split('\n').filter((line) => /^RW[\w+/]{54}$/.test(line))
  return lines.map((line) => {
    const bytes = Buffer.from(line, 'base64')
    const key = createPublicKey({ key: Buffer.concat([spki, bytes.subarray(10)]), format: 'der', type: 'spki' })
    return { id: bytes.subarray(2, 10), key }
  })
}

/** Returns the line of a public key. Its number is the start of its hash. */
export function keyLine(key: KeyObject): string {
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spki.length)
  return Buffer.concat([ofKey, numberOf(raw), raw]).toString('base64')
}

const numberOf = (raw: Buffer): Buffer => createHash('sha256').update(raw).digest().subarray(0, 8)

/** Signs a file. @param comment is signed as well */
export function sign(content: Buffer, key: KeyObject, comment: string): string {
  const number = Buffer.from(keyLine(key), 'base64').subarray(2, 10)
  const signature = signBytes(null, hashOf(content), key)
  const both = signBytes(null, Buffer.concat([signature, Buffer.from(comment)]), key)
  const line = Buffer.concat([ofHash, number, signature]).toString('base64')
  return `${untrusted}signature of Relaydeck\n${line}\n${trusted}${comment}\n${both.toString('base64')}\n`
}

/** Verifies a signature. @returns its trusted comment; null: it is no signature of these keys over this file */
export function verify(content: Buffer, signature: string, keys: readonly PublicKey[]): string | null {
  const [, line = '', commented = '', last = ''] = signature.split('\n')
  const bytes = Buffer.from(line, 'base64')
  const comment = commented.startsWith(trusted) ? commented.slice(trusted.length) : null
  const signer = keys.find(({ id }) => id.equals(bytes.subarray(2, 10)))
  if (!signer || comment === null || bytes.length !== 74 || !bytes.subarray(0, 2).equals(ofHash)) return null
  const own = bytes.subarray(10)
  const isOfFile = verifyBytes(null, hashOf(content), signer.key, own)
  const all = Buffer.concat([own, Buffer.from(comment)])
  return isOfFile && verifyBytes(null, all, signer.key, Buffer.from(last, 'base64')) ? comment : null
}
