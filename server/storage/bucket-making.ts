// Prepared films that are being written to a bucket: the parts of a master, and beside them an object that names these parts.
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'
import type { ObjectStore } from '#server/core/object-store.ts'

const masterType = 'video/mp4'

/** Upload of a master, and its parts in their order. */
const State = z.object({ upload: z.string(), parts: z.array(z.object({ tag: z.string(), bytes: z.int() })) })
type State = z.output<typeof State>

class UnreadableError extends Error {}
function unlessUnreadable(error: unknown): null {
  if (error instanceof UnreadableError) return null
  throw error
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export interface Making {
  /** Writes a part of 5 MB or more, but the last one. @returns the bytes that the object has */
  write(key: string, at: number, from: Readable): Promise<number>
  /** Completes the master. Repeats do nothing. */
  finish(key: string): Promise<void>
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
}

/** @param masterKey returns the key of a master by its name, which is the end of the name in the making */
export function makingIn(bucket: ObjectStore, masterKey: (name: string) => string): Making {
  const masterOf = (key: string) => masterKey(key.slice(key.indexOf('.') + 1))
  const bytesOf = ({ parts }: State) => parts.reduce((sum, { bytes }) => sum + bytes, 0)

  async function find(key: string): Promise<State | null> {
    const text = await bucket.text(key)
    if (text === null) return null
    const read = z.safeParse(State, parsed(text))
    if (!read.success) throw new UnreadableError(`${key} names no parts`)
    return read.data
  }
  const save = (key: string, state: State) => bucket.write(key, 'application/json', Buffer.from(JSON.stringify(state)))

  async function begin(key: string): Promise<State> {
    const state: State = { upload: await bucket.beginParts(masterOf(key), masterType), parts: [] }
    await save(key, state)
    return state
  }

  return {
    async write(key, at, from) {
      const content = await buffer(from)
      const found = await find(key)
      const has = found ? bytesOf(found) : 0
      if (has < at) throw new Error(`${key} is shorter than ${at} bytes`)
      // The response to an earlier request was lost: its bytes are there.
      const bytes = content.subarray(has - at)
      if (bytes.length === 0) return has
      const { upload, parts } = found ?? (await begin(key))
      const tag = await bucket.writePart(masterOf(key), upload, { number: parts.length + 1, bytes })
      await save(key, { upload, parts: [...parts, { tag, bytes: bytes.length }] })
      return has + bytes.length
    },
    async finish(key) {
      const state = await find(key)
      if (!state) throw new Error(`There is no object ${key}`)
      const tags = state.parts.map(({ tag }) => tag)
      const failure = await bucket.endParts(masterOf(key), state.upload, tags).then(
        () => null,
        (error: unknown) => error,
      )
      // Servers report some failures in a response of success; and an earlier request may have completed it.
      const has = await bucket.size(masterOf(key))
      if (has !== bytesOf(state))
        throw failure ?? new Error(`The master has ${has ?? 'none'} of ${bytesOf(state)} bytes`)
      await bucket.remove(key)
    },
    async size(key) {
      const state = await find(key)
      return state && bytesOf(state)
    },
    async remove(key) {
      // What has other content is removed as well.
      const state = await find(key).catch(unlessUnreadable)
      if (state) await bucket.abortParts(masterOf(key), state.upload)
      await bucket.remove(key)
    },
  }
}
