import { type FocusEvent, type PointerEvent, useCallback, useState } from 'react'

const none: ReadonlySet<number> = new Set()

/**
 * Keeps a channel's row in place after it is switched off, until pointer and focus leave the list: otherwise the next
 * switch would move under the pointer.
 */
export function useKeptRows() {
  const [kept, setKept] = useState(none)
  const hold = useCallback((channelId: number) => setKept((known) => new Set([...known, channelId])), [])
  const release = () => setKept(none)
  const frame = {
    onPointerLeave: ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
      // A finger leaves with every tap, but its focus stays.
      if (pointerType === 'mouse' || !currentTarget.contains(document.activeElement)) release()
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover')) release()
    },
  }
  return { kept, hold, frame }
}
