// Colour theme: the system's choice until the user makes one. The document's inline script sets it before the first
// paint.
import { createStore } from 'zustand/vanilla'
import { recall, remember } from '#src/lib/storage.ts'

export type ThemeChoice = 'light' | 'dark' | 'auto'

const system = matchMedia('(prefers-color-scheme: dark)')
const toChoice = (text: string | null): ThemeChoice => (text === 'light' || text === 'dark' ? text : 'auto')

/** The theme in use, and its origin. */
export const themeStore = createStore<{ choice: ThemeChoice; shown: 'light' | 'dark' }>(() =>
  resolve(toChoice(recall('theme'))),
)

/** Sets the theme for all tabs of this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  remember('theme', choice)
  apply(choice)
}

function resolve(choice: ThemeChoice) {
  const shown: 'light' | 'dark' = choice === 'auto' ? (system.matches ? 'dark' : 'light') : choice
  return { choice, shown }
}

function apply(choice: ThemeChoice): void {
  const next = resolve(choice)
  document.documentElement.dataset['theme'] = next.shown
  themeStore.setState(next)
}

system.addEventListener('change', () => apply(themeStore.getState().choice))
addEventListener('storage', ({ key, newValue }) => key === 'relaydeck.theme' && apply(toChoice(newValue)))
