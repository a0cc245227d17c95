// The picture, the graph, the events and the switches come after the first view, in one file: the state of the broadcast and of its
// channels is what somebody opens the page for.
import { lazy, type LazyExoticComponent, type ReactNode, Suspense } from 'react'
import { useAfterPage } from '#src/api/after-page.ts'

type Parts = typeof import('./on-air-later.ts')

export const BitrateGraph: LazyExoticComponent<Parts['BitrateGraph']> = lazy(async () => ({
  default: (await parts()).BitrateGraph,
}))
export const BitrateNote: LazyExoticComponent<Parts['BitrateNote']> = lazy(async () => ({
  default: (await parts()).BitrateNote,
}))
export const ChannelSwitch: LazyExoticComponent<Parts['ChannelSwitch']> = lazy(async () => ({
  default: (await parts()).ChannelSwitch,
}))
export const EventFeed: LazyExoticComponent<Parts['EventFeed']> = lazy(async () => ({
  default: (await parts()).EventFeed,
}))
export const LeftOut: LazyExoticComponent<Parts['LeftOut']> = lazy(async () => ({
  default: (await parts()).LeftOut,
}))
export const LivePicture: LazyExoticComponent<Parts['LivePicture']> = lazy(async () => ({
  default: (await parts()).LivePicture,
}))

const waitMsMax = 60_000

/** The page stands without them: what cannot be loaded is tried again, and breaks nothing. */
async function parts(): Promise<Parts> {
  for (let tries = 0; ; tries++) {
    try {
      return await import('./on-air-later.ts')
    } catch {
      await new Promise((resolve) => setTimeout(resolve, Math.min(5_000 * 2 ** tries, waitMsMax)))
    }
  }
}

interface Props {
  /** Of the same size, until it is there: nothing moves when it comes. */
  readonly room: ReactNode
  readonly children: ReactNode
}

/** A part that waits for the first view. */
export function Later({ room, children }: Props) {
  return useAfterPage() ? <Suspense fallback={room}>{children}</Suspense> : room
}
