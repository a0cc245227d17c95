// Texts of the message list.
import type { TFunction } from 'i18next'

/** Texts of a list in its language: hooks in each row would cost a fast list more than the rows. */
export type ListTexts = TFunction<'chat-list'>
