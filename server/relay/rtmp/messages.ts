// RTMP control messages and commands (Adobe RTMP 1.0, sections 5.4 and 7).
import { type Message, messageType } from './message.ts'
import { type Amf, decodeAmf, encodeAmf } from './amf0.ts'
import { ProtocolError } from './protocol-error.ts'

const userEvent = { streamBegin: 0, pingRequest: 6, pingResponse: 7 } as const

const onConnection = (type: number, payload: Buffer): Message => ({ type, streamId: 0, timestamp: 0, payload })

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** Announces the chunk size of further messages. */
export const setChunkSize = (bytes: number) => onConnection(messageType.setChunkSize, uint32(bytes))
/** Sets the acknowledgement window of the peer, bytes. */
export const windowSize = (bytes: number) => onConnection(messageType.windowSize, uint32(bytes))
/** Acknowledges received bytes (wraps at 32 bits). */
export const acknowledgement = (bytes: number) => onConnection(messageType.acknowledgement, uint32(bytes))
/** Sets the peer bandwidth, dynamic. */
export const peerBandwidth = (bytes: number) =>
  onConnection(messageType.peerBandwidth, Buffer.concat([uint32(bytes), Buffer.from([2])]))

const userControl = (event: number, value: number) =>
  onConnection(messageType.userControl, Buffer.concat([Buffer.from([0, event]), uint32(value)]))
export const streamBegin = (streamId: number) => userControl(userEvent.streamBegin, streamId)

/** Requests a response with the same value. @param value 32 bits */
export const ping = (value: number) => userControl(userEvent.pingRequest, value)

/** Returns the value of the response to a ping, or null for another message. */
export function pingedValue({ type, payload }: Message): number | null {
  const isAnswer =
    type === messageType.userControl && payload.length >= 6 && payload.readUInt16BE(0) === userEvent.pingResponse
  return isAnswer ? payload.readUInt32BE(2) : null
}

/** Returns the response to a ping, or null for another message. */
export function pingAnswer(message: Message): Message | null {
  const { type, payload } = message
  const isPing =
    type === messageType.userControl && payload.length >= 6 && payload.readUInt16BE(0) === userEvent.pingRequest
  return isPing ? userControl(userEvent.pingResponse, payload.readUInt32BE(2)) : null
}

/** The number that an acknowledgement or a window size carries. */
export const numberOf = ({ payload }: Message): number => (payload.length < 4 ? 0 : payload.readUInt32BE(0))

/** A call or a response: `connect`, `_result`, `onStatus`, … */
export interface Command {
  readonly name: string
  /** Matches a response to its call; 0 without a response. */
  readonly transaction: number
  readonly object: Amf
  readonly values: readonly Amf[]
  readonly streamId: number
}

/** A command as a message. */
export const command = (
  name: string,
  transaction: number,
  object: Amf,
  values: readonly Amf[] = [],
  streamId = 0,
): Message => ({
  type: messageType.command,
  streamId,
  timestamp: 0,
  payload: encodeAmf(name, transaction, object, ...values),
})

/** `onStatus` about a stream. @param level `status`, `warning` or `error` */
export const onStatus = (level: string, code: string, description: string, streamId = 1): Message =>
  command('onStatus', 0, null, [{ level, code, description }], streamId)

/**
 * Reads a command.
 * @returns null for other messages
 * @throws ProtocolError if the command is invalid
 */
export function readCommand(message: Message): Command | null {
  const { type, payload, streamId } = message
  if (type !== messageType.command && type !== messageType.commandAmf3) return null
  // AMF3 commands have one byte before AMF0.
  const [name, transaction, object, ...values] = decodeAmf(
    type === messageType.commandAmf3 ? payload.subarray(1) : payload,
  )
  if (typeof name !== 'string') throw new ProtocolError('A command without a name')
  return { name, transaction: typeof transaction === 'number' ? transaction : 0, object, values, streamId }
}

/** Returns a text field of an AMF object; empty for other types. */
export function textOf(value: Amf, key: string): string {
  const field = isObject(value) ? value[key] : undefined
  return typeof field === 'string' ? plain(field) : ''
}

/** Removes control characters, which logs and PostgreSQL do not accept. */
export const plain = (text: string): string => text.replaceAll(/\p{C}/gu, '')

const isObject = (value: Amf): value is { readonly [key: string]: Amf } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
