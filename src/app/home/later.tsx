// The picture, the graph, the events and the switches come after the first view, in one file: the state of the broadcast and of its
// channels is what somebody opens the page for.
import { lazy, type LazyExoticComponent, type ReactNode, Suspense } from 'react'
import { useAfterPage } from '#src/api/after-page.ts'

type Parts = typeof import('./on-air-later.ts')

type Part<Name extends keyof Parts> = LazyExoticComponent<Parts[Name]>

/** One of them, by its name. */
const part = <Name extends keyof Parts>(name: Name): Part<Name> =>
  lazy(async () => ({ default: (await parts())[name] }))

export const BitrateGraph: Part<'BitrateGraph'> = part('BitrateGraph')
export const BitrateNote: Part<'BitrateNote'> = part('BitrateNote')
export const ChannelSwitch: Part<'ChannelSwitch'> = part('ChannelSwitch')
export const EventFeed: Part<'EventFeed'> = part('EventFeed')
export const LeftOut: Part<'LeftOut'> = part('LeftOut')
export const LivePicture: Part<'LivePicture'> = part('LivePicture')

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
