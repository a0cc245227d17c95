// Forms that hold something not saved yet: why sign-in opens over a page instead of replacing it.
import { useEffect } from 'react'

const forms = new Set<symbol>()

/** Is there anything to lose on this page? */
export const hasUnsaved = (): boolean => forms.size > 0

/** Says that a form holds unsaved input, for as long as it does. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    forms.add(form)
    return () => void forms.delete(form)
  }, [isDirty])
}
