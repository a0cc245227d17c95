// The keys that do something everywhere. What only one control does stands beside that control.

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Name of each (`help:keys.<name>`) and the keys as they are written on this machine's keyboard. */
export const shortcuts = (): { name: string; keys: string[] }[] => [
  { name: 'palette', keys: [isApple() ? '⌘' : 'Ctrl', 'K'] },
  { name: 'move', keys: ['↑', '↓'] },
  { name: 'choose', keys: ['Enter'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'skip', keys: ['Tab'] },
]
