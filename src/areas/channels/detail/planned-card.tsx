import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { planned } from '#contract/areas/channels/planned.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDateTime } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FormCard } from './form-card.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Selects the scheduled stream on the platform for the next broadcast. */
export function PlannedCard({ projectId, channel }: Props) {
  const { t } = useTranslation('channels')
  const language = useLanguage()
  const { comma } = usePunctuation()
  const common = { project_id: projectId, channel_id: channel.group_id }
  const query = useQuery(q(planned.get, common))
  return (
    <QueryPart query={query} failed={t('planned.failed')} skeleton={<Skeleton height={190} />}>
      {({ results, selected }) => {
        const found = results.flatMap((one) => one.planned ?? [])
        return (
          <FormCard
            projectId={projectId}
            title={t('planned.title')}
            saved={{ id: selected ?? '' }}
            op={planned.set}
            inputOf={({ id }) => ({ ...common, ...(id && { id }) })}
          >
            {({ values, field }) => (
              <SelectField
                label={t('planned.field')}
                hint={found.find(({ id }) => id === values.id)?.description ?? t('planned.hint')}
                choices={[
                  { value: '', label: t('planned.new') },
                  ...found.map(({ id, title, date }) => ({
                    value: id,
                    label: `${title}${comma}${formatDateTime(date, language)}`,
                  })),
                ]}
                {...field('id')}
              />
            )}
          </FormCard>
        )
      }}
    </QueryPart>
  )
}
