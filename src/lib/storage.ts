// Small things that are remembered in this browser. Never a secret. Storage that is denied remembers nothing.

/** What is remembered under a name, or null. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`relaydeck.${name}`)
  } catch {
    return null
  }
}

/** Remembers a value; null forgets it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`relaydeck.${name}`)
    else localStorage.setItem(`relaydeck.${name}`, value)
  } catch {
    // Private windows may refuse; the page works all the same.
  }
}
