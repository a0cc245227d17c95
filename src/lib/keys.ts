import type { KeyboardEvent } from 'react'

/** Enter as confirmation, not as the end of an input method composition (Chinese). */
export const isEnter = ({ key, nativeEvent }: KeyboardEvent): boolean => key === 'Enter' && !nativeEvent.isComposing
