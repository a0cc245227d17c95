import { type ComponentProps, lazy, Suspense } from 'react'
import { useSettled } from '#src/api/settled.ts'

const HelpLink = lazy(async () => ({ default: (await import('./help-link.tsx')).HelpLink }))

/** A `HelpLink` that loads after the page: its code and texts are no part of the first view. */
export function HelpLinkLater(props: ComponentProps<typeof HelpLink>) {
  const isSettled = useSettled()
  return isSettled ? (
    <Suspense fallback={null}>
      <HelpLink {...props} />
    </Suspense>
  ) : null
}
