// The picture, the graph, the events and the switches come after the first view: the state of the broadcast and of its
// channels is what somebody opens the page for.
import { type LazyExoticComponent, type ReactNode, Suspense } from 'react'
import { useAfterPage } from '#src/api/after-page.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { useNear } from '#src/lib/use-near.ts'

type Parts = typeof import('./on-air-later.ts')

type Part<Name extends keyof Parts> = LazyExoticComponent<Parts[Name]>

const parts = () => import('./on-air-later.ts')

/** One of them, by its name: they come in one file. */
const part = <Name extends keyof Parts>(name: Name): Part<Name> =>
  lazyPart(async () => ({ default: (await parts())[name] }))

export const BitrateNote: Part<'BitrateNote'> = part('BitrateNote')
export const ChannelSwitch: Part<'ChannelSwitch'> = part('ChannelSwitch')
export const EventFeed: Part<'EventFeed'> = part('EventFeed')
export const LeftOut: Part<'LeftOut'> = part('LeftOut')
export const LivePicture: Part<'LivePicture'> = part('LivePicture')
export const PlanEndNote: Part<'PlanEndNote'> = part('PlanEndNote')
/** With all that draws charts. */
export const SignalGraph = lazyPart(() => import('./signal-graph.tsx'))

interface Props {
  /** Of the same size, until it is there: nothing moves when it comes. */
  readonly room: ReactNode
  readonly children: ReactNode
}

/** A part that waits for the first view. */
export function Later({ room, children }: Props) {
  return useAfterPage() ? <Suspense fallback={room}>{children}</Suspense> : room
}

/** A part further down, that waits for somebody to come near it as well. */
export function Below({ room, children }: Props) {
  const [watch, isNear] = useNear()
  return isNear ? <Later room={room}>{children}</Later> : <div ref={watch}>{room}</div>
}
