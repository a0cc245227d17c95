// A passkey authenticator of tests (WebAuthn, ES256, no attestation): signs as a browser would for its page.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** CBOR of the few types that an authenticator needs: integers, byte strings, text and maps. */
function cbor(value: number | string | Buffer | ReadonlyMap<number | string, unknown>): Buffer {
  const head = (major: number, size: number): Buffer =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const map = value as ReadonlyMap<number | string, never>
  return Buffer.concat([head(5, map.size), ...[...map].flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()
const present = 0x01
const verified = 0x04
const attested = 0x40

/** Options of the service, as far as an authenticator reads them. */
interface Options {
  readonly challenge: string
}

/** One credential. `counter` is what the next signature has, less one. */
export class Authenticator {
  readonly id = randomBytes(32)
  counter = 0
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly #origin: string
  constructor(origin: string) {
    this.#origin = origin
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** Answers a registration. @param origin page that the browser shows */
  register(options: unknown, origin = this.#origin) {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' })
    const key = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const size = Buffer.from([this.id.length >> 8, this.id.length & 255])
    const authData = Buffer.concat([this.#data(attested, origin), Buffer.alloc(16), size, this.id, key])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData('webauthn.create', options as Options, origin).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Answers a sign-in. @param origin page that the browser shows */
  sign(options: unknown, origin = this.#origin) {
    this.counter += 1
    const data = clientData('webauthn.get', options as Options, origin)
    const authenticatorData = this.#data(0, origin)
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(data)]))
      .sign(this.#key.privateKey)
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
  }

  #credential() {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #data(flags: number, origin: string): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([present | verified | flags]), count])
  }
}

const clientData = (type: string, { challenge }: Options, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
