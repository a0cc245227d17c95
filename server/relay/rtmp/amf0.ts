// AMF0, the encoding of RTMP's commands and metadata (Adobe, "Action Message Format", December 2007).
import { ProtocolError } from './protocol-error.ts'

/** AMF0 value of RTMP. Objects have no prototype, so that keys cannot reach one. */
export type Amf = number | boolean | string | null | undefined | readonly Amf[] | AmfObject
export interface AmfObject {
  readonly [key: string]: Amf
}

const marker = { number: 0, boolean: 1, string: 2, object: 3, null: 5, undefined: 6, map: 8, end: 9, list: 10 } as const
const date = 11
const longString = 12
const unsupported = 13

/** Nesting limit: above that of known clients, and safe for the stack. */
const depthMax = 16
/** Limit of values per message: an array may claim any length. */
const valuesMax = 4096

/**
 * Reads all values of a message.
 * @throws ProtocolError when the data is not AMF0, or exceeds the limits of depth (16) and number (4096)
 */
export function decodeAmf(bytes: Buffer): Amf[] {
  const reader = new Reader(bytes)
  const values: Amf[] = []
  while (reader.left > 0) values.push(reader.value(0))
  return values
}

class Reader {
  readonly #bytes: Buffer
  #at = 0
  #values = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  value(depth: number): Amf {
    if (depth > depthMax || ++this.#values > valuesMax) throw new ProtocolError('AMF value too large')
    const type = this.#bytes[this.#take(1)]
    switch (type) {
      case marker.number:
        return this.#bytes.readDoubleBE(this.#take(8))
      case marker.boolean:
        return this.#bytes[this.#take(1)] !== 0
      case marker.string:
        return this.#text(this.#bytes.readUInt16BE(this.#take(2)))
      case longString:
        return this.#text(this.#bytes.readUInt32BE(this.#take(4)))
      case marker.object:
        return this.#object(depth)
      case marker.map:
        this.#take(4)
        return this.#object(depth)
      case marker.list:
        return this.#list(depth)
      case marker.null:
        return null
      case marker.undefined:
      case unsupported:
        return undefined
      case date: {
        const time = this.#bytes.readDoubleBE(this.#take(8))
        this.#take(2)
        return time
      }
      default:
        throw new ProtocolError('Unknown AMF marker')
    }
  }

  #object(depth: number): AmfObject {
    const object: Record<string, Amf> = Object.create(null)
    for (;;) {
      const key = this.#text(this.#bytes.readUInt16BE(this.#take(2)))
      if (key === '' && this.#bytes[this.#at] === marker.end) break
      object[key] = this.value(depth + 1)
    }
    this.#take(1)
    return object
  }

  #list(depth: number): Amf[] {
    const length = this.#bytes.readUInt32BE(this.#take(4))
    if (length > this.left) throw new ProtocolError('AMF array longer than its message')
    return Array.from({ length }, () => this.value(depth + 1))
  }

  #text(length: number): string {
    const start = this.#take(length)
    return this.#bytes.toString('utf8', start, start + length)
  }

  /** Advances the position. @returns the offset of the bytes */
  #take(length: number): number {
    if (length > this.left) throw new ProtocolError('AMF value cut short')
    const start = this.#at
    this.#at += length
    return start
  }
}

/** Writes consecutive values. Objects become AMF objects, arrays strict arrays. */
export const encodeAmf = (...values: readonly Amf[]): Buffer => Buffer.concat(values.map(encode))

function encode(value: Amf): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'boolean') return Buffer.from([marker.boolean, value ? 1 : 0])
  if (typeof value === 'string') return encodeString(value)
  if (value === null) return Buffer.from([marker.null])
  if (value === undefined) return Buffer.from([marker.undefined])
  if (Array.isArray(value)) {
    const head = Buffer.from([marker.list, 0, 0, 0, 0])
    head.writeUInt32BE(value.length, 1)
    return Buffer.concat([head, ...value.map(encode)])
  }
  const fields = Object.entries(value).map(([key, field]) => Buffer.concat([encodeKey(key), encode(field)]))
  return Buffer.concat([Buffer.from([marker.object]), ...fields, Buffer.from([0, 0, marker.end])])
}

function encodeString(text: string): Buffer {
  const content = Buffer.from(text)
  if (content.length <= 0xffff) return Buffer.concat([Buffer.from([marker.string]), encodeKey(text)])
  const head = Buffer.from([longString, 0, 0, 0, 0])
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

function encodeKey(key: string): Buffer {
  const content = Buffer.from(key)
  const bytes = Buffer.alloc(2 + content.length)
  bytes.writeUInt16BE(content.length)
  content.copy(bytes, 2)
  return bytes
}
