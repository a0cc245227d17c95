import { useTranslation } from 'react-i18next'
import { historyActions } from '#contract/entities/history.ts'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'
import type { View } from './history-view.ts'
import { nameOf } from './person.tsx'
import type { Member } from './use-team.ts'

interface Props {
  readonly view: View
  readonly members: readonly Member[]
  readonly onChange: (change: Partial<View>) => void
}

/** History filters: action, user, from and to dates. */
export function HistoryTools({ view, members, onChange }: Props) {
  const { t } = useTranslation('projects')
  const people = members.map((member) => ({
    value: String(member.user_id),
    label: nameOf(member) || t('members.unnamed'),
  }))
  // A shared link may name a former member.
  const isGone = view.person !== 0 && !people.some(({ value }) => value === String(view.person))
  const gone = isGone ? [{ value: String(view.person), label: `#${view.person}` }] : []
  return (
    <Toolbar label={t('history.tools')}>
      <FilterField
        label={t('history.action')}
        value={view.action}
        choices={[
          { value: '', label: t('history.anyAction') },
          ...historyActions.map((action) => ({ value: action, label: t(`action.${action}`) })),
        ]}
        onChange={(action) => onChange({ action })}
      />
      <FilterField
        label={t('history.person')}
        value={view.person === 0 ? '' : String(view.person)}
        choices={[{ value: '', label: t('history.anyPerson') }, ...people, ...gone]}
        onChange={(value) => onChange({ person: Number(value) })}
      />
      <DaysFilter days={view} onChange={onChange} />
    </Toolbar>
  )
}
