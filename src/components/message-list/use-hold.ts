// Stops a list while the user points at it, has focus in it, selects text in it or reads older rows.
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { MessageLog } from './message-log.ts'

type Reason = 'pointer' | 'focus' | 'selection' | 'scroll' | 'menu'

/** Time after input of the user, milliseconds, in which a scroll counts as the user's own. */
const ownScrollMs = 1_000

/** Distance from the end in pixels that still counts as the end. */
export const endPx = 40

const inputs = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const

export interface Hold {
  /** Adds or removes a reason to stop. */
  readonly set: (reason: Reason, isOn: boolean) => void
  /** Follows again. A resting pointer does not stop it again. */
  readonly release: () => void
}

/**
 * Holds a log for the reasons above.
 * @param scroller element that scrolls
 */
export function useHold(log: MessageLog, scroller: RefObject<HTMLElement | null>): Hold {
  const reasons = useRef(new Set<Reason>())
  const set = useCallback(
    (reason: Reason, isOn: boolean) => {
      if (isOn) reasons.current.add(reason)
      else reasons.current.delete(reason)
      log.hold(reasons.current.size > 0)
    },
    [log],
  )
  const release = useCallback(() => {
    reasons.current.clear()
    document.getSelection()?.removeAllRanges()
    log.hold(false)
  }, [log])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const inside = (node: Node | null) => node !== null && element.contains(node)
    // A row that moves below a resting pointer makes events as well, at the same place.
    let at = ''
    const move = ({ pointerType, clientX, clientY }: PointerEvent) => {
      const place = `${clientX} ${clientY}`
      if (pointerType !== 'touch' && place !== at) set('pointer', true)
      at = place
    }
    const leave = () => set('pointer', false)
    const focus = ({ target }: FocusEvent) => set('focus', target !== element)
    const blur = ({ relatedTarget }: FocusEvent) => inside(relatedTarget as Node | null) || set('focus', false)
    let inputAt = -ownScrollMs
    const input = () => void (inputAt = performance.now())
    const scroll = () => {
      const isAway = element.scrollHeight - element.scrollTop - element.clientHeight > endPx
      // The list scrolls by itself while it grows; only the user stops it.
      if (!isAway || performance.now() - inputAt < ownScrollMs) set('scroll', isAway)
    }
    const select = () => {
      const selection = document.getSelection()
      set('selection', selection !== null && !selection.isCollapsed && inside(selection.anchorNode))
    }
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerleave', leave)
    element.addEventListener('focusin', focus)
    element.addEventListener('focusout', blur)
    element.addEventListener('scroll', scroll, { passive: true })
    for (const type of inputs) element.addEventListener(type, input, { passive: true })
    document.addEventListener('selectionchange', select)
    return () => {
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerleave', leave)
      element.removeEventListener('focusin', focus)
      element.removeEventListener('focusout', blur)
      element.removeEventListener('scroll', scroll)
      for (const type of inputs) element.removeEventListener(type, input)
      document.removeEventListener('selectionchange', select)
    }
  }, [scroller, set])

  return { set, release }
}
