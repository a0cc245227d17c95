// Small values stored in this browser, never a secret. Without access to storage nothing is stored.

/** The value stored under a name, or null. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`relaydeck.${name}`)
  } catch {
    return null
  }
}

/** Stores a value; null removes it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`relaydeck.${name}`)
    else localStorage.setItem(`relaydeck.${name}`, value)
  } catch {
    // Private windows may refuse; the page works without storage.
  }
}
