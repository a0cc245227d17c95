// Global keyboard shortcuts. Shortcuts of a single control are documented beside that control.

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Name of each shortcut (`help:keys.<name>`) and its keys as labelled on the user's platform. */
export const shortcuts = (): { name: string; keys: string[] }[] => [
  { name: 'palette', keys: [isApple() ? '⌘' : 'Ctrl', 'K'] },
  { name: 'move', keys: ['↑', '↓'] },
  { name: 'choose', keys: ['Enter'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'skip', keys: ['Tab'] },
]
