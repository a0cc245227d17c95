// Forms with unsaved input: while there is one, sign-in opens as a dialog instead of replacing the page.
import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'

const store = createStore<{ readonly forms: number }>(() => ({ forms: 0 }))
const count = (by: number): void => store.setState(({ forms }) => ({ forms: forms + by }))

/** Returns whether this page has unsaved input. */
export const hasUnsaved = (): boolean => store.getState().forms > 0

/** Marks a form as unsaved while `isDirty` is true. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    count(1)
    return () => count(-1)
  }, [isDirty])
}
