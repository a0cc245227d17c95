// What a row of the history says beside its action: pieces of its details, in the language of the page.
import type { HistoryItem } from '#contract/areas/projects/history.ts'
import { roles } from '#contract/entities/project.ts'

/** Texts that the words need; a function of `projects` texts fits. */
export type Words = (key: string, values?: Record<string, unknown>) => string

type Details = NonNullable<HistoryItem['details']>

const text = (details: Details, name: string): string | null => {
  const value = details[name]
  return typeof value === 'string' && value !== '' ? value : null
}

const role = (details: Details, name: string, t: Words): string | null => {
  const key = typeof details[name] === 'number' ? roles[details[name]] : undefined
  return key ? t(`role.${key}`) : null
}

/** `before → after`, or the one that is there. */
const moved = (...parts: readonly (string | null)[]): string | null => parts.filter(Boolean).join(' → ') || null

/**
 * The details in words; empty when there is nothing to add.
 * @example detailsOf({ details: { name: 'Vic', from: 0, to: 1 } }, t) // 'Vic: Viewer → Editor'
 */
export function detailsOf({ details }: Pick<HistoryItem, 'details'>, t: Words): string {
  if (!details) return ''
  const name = moved(text(details, 'was'), text(details, 'name')) ?? text(details, 'plan') ?? text(details, 'email')
  const roleWords = moved(role(details, 'from', t), role(details, 'to', t)) ?? role(details, 'access_type', t)
  const project = text(details, 'project')
  const { minutes } = details
  const wait = typeof minutes === 'number' ? t('history.minutes', { count: minutes }) : null
  return [name && project ? `${name} (${project})` : name, roleWords ?? wait].filter(Boolean).join(': ')
}

/** Who did it. */
export const personOf = ({ user_, action }: Pick<HistoryItem, 'user_' | 'action'>, t: Words): string => {
  const name = [user_?.name, user_?.fename].filter(Boolean).join(' ')
  if (name) return name
  return action.endsWith('_decline') ? t('history.somebody') : t('history.service')
}
