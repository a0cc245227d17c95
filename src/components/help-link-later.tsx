import { type ComponentProps, lazy, Suspense } from 'react'
import { useSettled } from '#src/api/settled.ts'

const HelpLink = lazy(async () => ({ default: (await import('./help-link.tsx')).HelpLink }))

/** Room of the link, so that nothing moves when it loads. */
const room = { display: 'flex', minHeight: 24 }

/** A `HelpLink` that loads after the page: its code and texts are no part of the first view. */
export function HelpLinkLater(props: ComponentProps<typeof HelpLink>) {
  const isSettled = useSettled()
  return (
    <span style={room}>
      {isSettled && (
        <Suspense fallback={null}>
          <HelpLink {...props} />
        </Suspense>
      )}
    </span>
  )
}
