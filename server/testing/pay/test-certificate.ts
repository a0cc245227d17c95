// Self-signed certificate of tests, made of DER by hand: Node reads X.509 and does not create it.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A key and its certificate. */
export interface TestCertificate {
  readonly privateKey: KeyObject
  /** Certificate, PEM. */
  readonly pem: string
}

/** Creates a certificate. @param name common name @param from start of the ten years in which it is valid */
export function testCertificate(name: string, from = new Date('2020-01-01T00:00:00Z')): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const subject = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))))
  const algorithm = sequence(objectId('2a864886f70d01010b'), der(0x05, Buffer.alloc(0)))
  const to = new Date(from)
  to.setUTCFullYear(from.getUTCFullYear() + 10)
  const body = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    sequence(time(from), time(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])
  const text = sequence(body, algorithm, der(0x03, signature)).toString('base64')
  const lines = text.match(/.{1,64}/g) ?? []
  return { privateKey, pem: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n') }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const sizes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...sizes]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts))
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
/** UTCTime: two digits of the year. */
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))
