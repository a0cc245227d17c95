import type { KeyboardEvent } from 'react'

/** Enter as an answer, and not as the end of a Chinese word that is being written. */
export const isEnter = ({ key, nativeEvent }: KeyboardEvent): boolean => key === 'Enter' && !nativeEvent.isComposing
