// The rows of a list that are drawn: those in view, and the active one.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import type { Row } from './rows.ts'
import { endPx } from './use-hold.ts'

/** Usual height of a row, before it is measured. */
const rowPx = 30
/** Rows drawn beyond each edge. */
const overscan = 8

/**
 * Virtualizes a list that grows at its end.
 * @param active key of a row that stays drawn, so that it keeps its focus
 * @param isFollowing scrolls with new rows while the list is at its end
 */
export function useVirtualRows(
  rows: readonly Row[],
  active: string | null,
  scroller: RefObject<HTMLElement | null>,
  isFollowing: boolean,
) {
  // oxlint-disable-next-line react/incompatible-library -- the list is drawn again with each change of its rows
  const virtual = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => rowPx,
    overscan,
    anchorTo: 'end',
    followOnAppend: isFollowing,
    scrollEndThreshold: endPx,
    paddingStart: 8,
    paddingEnd: 8,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    rangeExtractor: ({ startIndex, endIndex, count }) => {
      const from = Math.max(0, startIndex - overscan)
      const to = Math.min(count - 1, endIndex + overscan)
      const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
      const at = active === null ? -1 : rows.findIndex(({ key }) => key === active)
      if (at < 0 || (at >= from && at <= to)) return shown
      return at < from ? [at, ...shown] : [...shown, at]
    },
  })
  useEndOnResize(scroller, isFollowing, virtual.scrollToEnd)
  return {
    items: virtual.getVirtualItems(),
    /** Attaches the element that has the height of all rows. */
    attach: virtual.containerRef,
    measure: virtual.measureElement,
    toEnd: virtual.scrollToEnd,
    toIndex: virtual.scrollToIndex,
  }
}

/** Keeps a list that follows at its end when it gets another height: a reply or a reason takes room from it. */
function useEndOnResize(scroller: RefObject<HTMLElement | null>, isFollowing: boolean, toEnd: () => void): void {
  const latest = useRef({ isFollowing, toEnd })
  useEffect(() => {
    latest.current = { isFollowing, toEnd }
  })
  useEffect(() => {
    if (!scroller.current) return
    const observer = new ResizeObserver(() => latest.current.isFollowing && latest.current.toEnd())
    observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [scroller])
}
