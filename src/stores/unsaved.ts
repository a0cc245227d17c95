// Forms that hold something not saved yet: why sign-in opens over a page instead of replacing it.
import { useEffect, useSyncExternalStore } from 'react'

const forms = new Set<symbol>()
const listeners = new Set<() => void>()
const tell = () => listeners.forEach((listener) => listener())

/** Is there anything to lose on this page? */
export const hasUnsaved = (): boolean => forms.size > 0

/** Says that a form holds unsaved input, for as long as it does. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    forms.add(form)
    tell()
    return () => {
      forms.delete(form)
      tell()
    }
  }, [isDirty])
}

/** `hasUnsaved`, followed. */
export const useHasUnsaved = (): boolean => useSyncExternalStore(subscribe, hasUnsaved)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
