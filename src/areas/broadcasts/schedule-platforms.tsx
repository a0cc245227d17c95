// What a schedule does at the platforms of its channels: titles, a planned broadcast, and the lines that show what became of them.
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Schedule } from '#contract/areas/broadcasts/scheduler.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { privacies } from '#contract/entities/schedule.ts'
import { takesSettings } from '#contract/platforms/platforms.ts'
import { q } from '#src/api/query.ts'
import type { Form } from '#src/components/form/use-form.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import type { Draft } from './schedule-draft.ts'
import styles from './schedule.module.css'
import { useWhy } from './use-event-words.ts'

/** Channels that the dialog and the rows read. */
const most = 100

const useChannels = (projectId: number): readonly Channel[] =>
  useQuery(q(channels.search, { project_id: projectId, limit: most })).data?.results ?? []

interface Props {
  readonly projectId: number
  readonly form: Pick<Form<Draft>, 'field' | 'values' | 'change'>
}

/** Titles of the channels whose platform takes one, and a planned broadcast where a platform can have one. */
export function PlatformFields({ projectId, form }: Props) {
  const { channels: which, channelIds, when } = form.values
  const chosen = useChannels(projectId).filter(({ group_id: id }) => which === 'all' || channelIds.includes(id))
  // Only a channel of an account has an id at its platform.
  const titled = chosen.filter(({ id, type }) => id !== '' && takesSettings(type))
  const canPlan = chosen.some(({ healing }) => healing !== undefined)
  return (
    <>
      {titled.length > 0 && <TitleFields form={form} list={titled} />}
      {canPlan && when === 'at' && <PlannedFields form={form} />}
    </>
  )
}

function TitleFields({ form, list }: Pick<Props, 'form'> & { readonly list: readonly Channel[] }) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const { value: titles, error, onChange } = form.field('titles')
  const titleOf = (id: number) => titles.find(({ channel_id }) => channel_id === id)?.title ?? ''
  return (
    <fieldset className={styles.videos}>
      <legend>{t('titles')}</legend>
      <p className={styles.hint}>{t('titlesHint')}</p>
      {list.map(({ group_id: id, name }) => (
        <TextField
          key={id}
          label={t('titleOf', { name })}
          autoComplete="off"
          value={titleOf(id)}
          onChange={(title) =>
            onChange([...titles.filter(({ channel_id }) => channel_id !== id), { channel_id: id, title }])
          }
        />
      ))}
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}

function PlannedFields({ form }: Pick<Props, 'form'>) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const { isPlanned } = form.values
  return (
    <>
      <label className={styles.check}>
        <Checkbox
          checked={isPlanned}
          onChange={({ currentTarget }) => form.change({ isPlanned: currentTarget.checked })}
        />
        {t('planned')}
      </label>
      <p className={styles.hint}>{t('plannedHint')}</p>
      {isPlanned && (
        <>
          <SelectField
            label={t('privacy')}
            choices={privacies.map((value) => ({ value, label: t(`privacies.${value}`) }))}
            {...form.field('privacy')}
          />
          <TextArea label={t('description')} hint={t('descriptionHint')} {...form.field('description')} />
        </>
      )}
    </>
  )
}

/** Planned broadcasts, and titles that were not set. */
export function PlatformStates({
  projectId,
  schedule,
}: {
  readonly projectId: number
  readonly schedule: Pick<Schedule, 'planned_at' | 'run' | 'last'>
}) {
  const { planned_at: planned, run, last } = schedule
  const titles = (run ?? last)?.titles.filter(({ state }) => state === 'failed') ?? []
  return planned.length + titles.length === 0 ? null : <PlatformLines {...{ projectId, planned, titles }} />
}

interface LinesProps {
  readonly projectId: number
  readonly planned: Schedule['planned_at']
  readonly titles: NonNullable<Schedule['run']>['titles']
}

function PlatformLines({ projectId, planned, titles }: LinesProps) {
  const { t } = useTranslation('schedule')
  const language = useLanguage()
  const whyOf = useWhy()
  const list = useChannels(projectId)
  const nameOf = (id: number) => list.find(({ group_id }) => group_id === id)?.name ?? ''
  return (
    <>
      {planned.map(({ channel_id, start_at, state, page, reason, words }) => {
        const when = formatDateTime(new Date(start_at * 1000).toISOString(), language)
        const said = words === null ? '' : t('planned.words', { words })
        const why = reason === null ? '' : [t(`planned.reason.${reason}`), said].filter(Boolean).join(' ')
        const kind = state === 'planned' && why !== '' ? 'differs' : state
        return (
          <span key={channel_id} className={why === '' ? styles.line : styles.warning}>
            {t(`planned.${kind}`, { name: nameOf(channel_id), when, why })}{' '}
            {page !== null && (
              <a href={page} target="_blank" rel="noreferrer">
                {t('planned.page')}
              </a>
            )}
          </span>
        )
      })}
      {titles.map(({ channel_id, reason, words }) => (
        <span key={channel_id} className={styles.warning}>
          {t('titleFailed', { name: nameOf(channel_id), why: whyOf(reason && `title-${reason}`, words) })}
        </span>
      ))}
    </>
  )
}
