// Versions, parsing and dispatch of relay messages.
import * as z from 'zod/mini'

/** Versions of the relay protocol that this release speaks. A change of meaning raises `latest`. */
export const protocolVersions = { oldest: 2, latest: 3 } as const

/**
 * Optional features of this release's nodes, which `hello` names. `srt-out`: destinations over SRT. `clips`: slates may name clips
 * (`.mp4`), which the node reads at `/relay/media/<name>`. `prepare`: preparation of films. `plays`: the node sends scheduled files as a
 * source of their own.
 */
export const nodeFeatures = ['srt-out', 'clips', 'prepare', 'plays'] as const
export type NodeFeature = (typeof nodeFeatures)[number]

/**
 * Agrees on the newest version that a node and this service share.
 * @returns null if there is none
 */
export function agreeVersion({ version, latest = version }: { version: number; latest?: number | undefined }) {
  const agreed = Math.min(latest, protocolVersions.latest)
  return agreed >= Math.max(version, protocolVersions.oldest) ? agreed : null
}

/** Parses a message. @returns null for anything else than a message of the schema */
export function readMessage<T extends z.ZodMiniType>(schema: T, text: string): z.output<T> | null {
  try {
    const read = z.safeParse(schema, JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

interface Typed {
  readonly type: string
}

/** One message of a union, by its type. */
export type MessageOf<M extends Typed, T extends M['type']> = Extract<M, { readonly type: T }>

/** A handler for each type of message. `Rest`: further arguments of all handlers. */
export type Handlers<M extends Typed, Rest extends readonly unknown[] = [], R = void> = {
  readonly [T in M['type']]: (message: MessageOf<M, T>, ...rest: Rest) => R
}

/** Calls the handler of a message. */
export function dispatch<M extends Typed, Rest extends readonly unknown[], R>(
  handlers: Handlers<M, Rest, R>,
  message: M,
  ...rest: Rest
): R {
  const handle = handlers[message.type as M['type']] as (message: M, ...rest: Rest) => R
  return handle(message, ...rest)
}
