// Forms that hold something not saved yet: why sign-in opens over a page instead of replacing it.
import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'

const store = createStore<{ readonly forms: number }>(() => ({ forms: 0 }))
const count = (by: number): void => store.setState(({ forms }) => ({ forms: forms + by }))

/** Is there anything to lose on this page? */
export const hasUnsaved = (): boolean => store.getState().forms > 0

/** Says that a form holds unsaved input, for as long as it does. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    count(1)
    return () => count(-1)
  }, [isDirty])
}
