import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { customers, type OperatorLogEntry } from '#contract/areas/operator/customers.ts'
import { call } from '#src/api/call.ts'
import { q } from '#src/api/query.ts'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { usePageView } from '#src/components/use-list-view.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './operator.module.css'

// Entries of the operator's log: the changed fields, and the name of what was changed.

type Entry = Pick<OperatorLogEntry, 'before' | 'after'>

/** A changed field. Values as text; null: there was or is none. */
interface LogChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/**
 * Returns the changed fields of an entry; of something new or removed, the fields that have a value. A field that only one
 * of two states has is not part of the change: `before` may be a row, and `after` the fields of a form.
 */
function changesOf(entry: Entry): readonly LogChange[] {
  const [before, after] = [stateOf(entry.before), stateOf(entry.after)]
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const isChange = entry.before !== null && entry.after !== null
  return fields
    .filter((field) => !isChange || (field in before && field in after))
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
    .filter((change) => change.before !== change.after)
}

/** Returns the title, name or code of what was changed; undefined where it has none. */
function nameOf({ before, after }: Entry): string | undefined {
  const state = { ...stateOf(before), ...stateOf(after) }
  return [state['title'], state['name'], state['code']].find((value) => typeof value === 'string')
}

/** A state is stored as JSON; one that is no object has a single field without a name. */
function stateOf(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { '': value }
  } catch {
    return { '': text }
  }
}

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

const size = 20

const columns: Columns<OperatorLogEntry> = {
  id: ({ id }) => id,
  date: ({ date_create }) => date_create,
  action: ({ action }) => action,
  user: ({ user }) => user,
  project_id: ({ project_id }) => project_id,
  project: ({ project }) => project,
  before: ({ before }) => before,
  after: ({ after }) => after,
  reason: ({ reason }) => reason,
}

/** Changes by operators, newest first. */
export function LogPart() {
  const { t, i18n } = useTranslation('operator')
  const { view, to } = usePageView()
  const log = useQuery({ ...q(customers.log, windowOf(view.page, size)), placeholderData: keepPreviousData })
  const actionOf = (action: string) =>
    i18n.exists(`operator:log.action.${action}`) ? t(`log.action.${action}`) : action
  return (
    <Card>
      <OperatorList
        query={log}
        label={t('log.title')}
        failed={t('log.failed')}
        none={<EmptyState title={t('log.none')} />}
        page={view.page}
        size={size}
        to={to}
        file={{
          name: 'operator-log',
          read: (page, sessionId) => call(customers.log, page, { sessionId }),
          keyOf: ({ id }) => id,
          columns,
        }}
      >
        {(entry) => (
          <Row
            title={[actionOf(entry.action), nameOf(entry), entry.project].filter(Boolean).join(' · ')}
            about={
              <>
                {entry.user ?? t('log.terminal')} · {entry.reason} · <DateStamp iso={entry.date_create} />
              </>
            }
          >
            <Changes changes={changesOf(entry)} />
          </Row>
        )}
      </OperatorList>
    </Card>
  )
}

/** Changed fields of an entry; nothing where none changed. */
function Changes({ changes }: { readonly changes: readonly LogChange[] }) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  if (changes.length === 0) return null
  return (
    <details className={styles.quiet}>
      <summary>{t('log.details')}</summary>
      <ul className={styles.changes} aria-label={t('log.details')}>
        {changes.map(({ field, before, after }) => (
          <li key={field}>
            {field !== '' && (
              <>
                <code>{field}</code>
                {colon}
              </>
            )}
            <code>{before ?? '–'}</code> → <code>{after ?? '–'}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}
