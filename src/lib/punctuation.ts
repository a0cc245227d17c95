// Marks of the language in use.
import { type Marks, marks } from './marks.ts'
import { useLanguage } from './use-language.ts'

/** The marks of the language in use. */
export const usePunctuation = (): Marks => marks[useLanguage()]
