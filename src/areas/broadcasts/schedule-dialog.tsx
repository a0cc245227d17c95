import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Schedule, scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { type LateRule, lateRules, returnRules, scheduleLimits } from '#contract/entities/schedule.ts'
import { q } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import type { Form } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { formatMinutes } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { ChoiceList } from '#src/ui/choice-list.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import {
  type Draft,
  draftOf,
  inputOf,
  movedTo,
  newDraft,
  nextDates,
  repeatChoices,
  seriesEnds,
} from './schedule-draft.ts'
import { PlatformFields } from './schedule-platforms.tsx'
import { ScheduleVideos } from './schedule-videos.tsx'
import styles from './schedule.module.css'
import { dateIn, ownZone, weekdayName, zoneName } from './use-schedule-words.ts'

interface Props {
  readonly projectId: number
  /** Null for a new schedule. */
  readonly schedule: Schedule | null
  readonly onClose: () => void
}

type DraftForm = Pick<Form<Draft>, 'change' | 'field' | 'values'>

/** Form that creates or changes a schedule; shows its next dates. */
export function ScheduleDialog({ projectId, schedule, onClose }: Props) {
  const { t } = useTranslation('schedule')
  const why = useFailureText('schedule')
  const [openedAt] = useState(() => Date.now())
  // A schedule that is over begins anew, in the user's zone.
  const isNew = schedule === null || !schedule.active
  const [values] = useState(() => {
    const fresh = newDraft(openedAt, ownZone())
    if (schedule === null) return fresh
    const all = draftOf(schedule, openedAt)
    if (schedule.active) return all
    const { when, date, time, zone, ends, endDate, endTime, repeat, n, days, over, until, count } = fresh
    const times = { when, date, time, zone, ends, endDate, endTime, repeat, n, days, over, until, count }
    return { ...all, ...times, startAt: null, endAt: null }
  })
  const form = useWriteForm({
    op: isNew ? scheduler.create : scheduler.update,
    area: 'schedule',
    values,
    inputOf: (draft) => ({
      project_id: projectId,
      ...inputOf(draft),
      ...(!isNew && { id: schedule.id }),
    }),
    wireNames: {
      video: 'ids',
      channel_ids: 'channelIds',
      start_at: 'date',
      end_at: 'endDate',
      late_max: 'lateMax',
      planned: 'description',
    },
    messages: { ids: t('rules.videos'), date: t('rules.date'), endDate: t('rules.date'), until: t('rules.date') },
    rules: (draft) =>
      rulesOf(draft, {
        none: t('rules.channels'),
        days: t('rules.days'),
        number: (max) => t('rules.number', { max }),
        endless: t('rules.endless'),
      }),
    refusals: {
      ScheduleVideo: 'ids',
      ScheduleChannel: 'channelIds',
      ScheduleTitle: 'titles',
      ScheduleEnd: 'endDate',
      ScheduleEndless: 'ends',
      ScheduleTooFar: 'date',
      ScheduleOver: 'date',
    },
    onSuccess: onClose,
  })
  return (
    <Dialog title={t(isNew ? 'form.create' : 'form.edit')} onClose={onClose}>
      <DialogForm
        problem={form.problem && t('notDone', { why: why(form.problem) })}
        cancel={t('cancel')}
        submit={t(isNew ? 'form.add' : 'form.save')}
        isBusy={form.isBusy}
        onSubmit={form.submit}
        onClose={onClose}
      >
        {schedule?.run && <p className={styles.hint}>{t('form.running')}</p>}
        <ScheduleVideos projectId={projectId} {...form.field('ids')} />
        <label className={styles.check}>
          <Checkbox
            checked={form.values.loop}
            onChange={({ currentTarget }) =>
              form.change({ loop: currentTarget.checked, late: lateOf(currentTarget.checked) })
            }
          />
          {t('form.loop')}
        </label>
        <TextField
          label={t('form.name')}
          hint={t('form.nameHint')}
          limit={scheduleLimits.name}
          autoComplete="off"
          {...form.field('name')}
        />
        <TimeFields form={form} isNew={isNew} openedAt={openedAt} />
        <RepeatFields form={form} />
        <NextDates draft={form.values} openedAt={openedAt} />
        <ChannelFields projectId={projectId} form={form} />
        <PlatformFields projectId={projectId} form={form} />
        <LateFields form={form} />
        <ReturnField form={form} />
      </DialogForm>
    </Dialog>
  )
}

/** A loop continues by the clock, other files play from their beginning. */
const lateOf = (isLoop: boolean): LateRule => (isLoop ? 'join' : 'begin')

interface RuleTexts {
  readonly none: string
  readonly days: string
  readonly number: (max: number) => string
  readonly endless: string
}

/** Rules beside the contract. */
function rulesOf(draft: Draft, texts: RuleTexts) {
  const { channels: which, channelIds, repeat, n, days, over, count, loop, ends } = draft
  const isNumber = (text: string, max: number) => /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max
  const isSeries = repeat !== 'once'
  return {
    channelIds: which === 'some' && channelIds.length === 0 ? texts.none : undefined,
    days: repeat === 'week' && days.length === 0 ? texts.days : undefined,
    n: isSeries && !isNumber(n, scheduleLimits.every) ? texts.number(scheduleLimits.every) : undefined,
    count:
      isSeries && over === 'count' && !isNumber(count, scheduleLimits.count)
        ? texts.number(scheduleLimits.count)
        : undefined,
    ends: isSeries && loop && ends === 'auto' ? texts.endless : undefined,
  }
}

interface TimeProps {
  readonly form: DraftForm
  readonly isNew: boolean
  /** Milliseconds. */
  readonly openedAt: number
}

/** Seconds between the values of a field of time: one whose time has seconds shows them. */
const stepOf = (seconds: number | null): number => ((seconds ?? 0) % 60 === 0 ? 60 : 1)

/** Begin, zone and end. */
function TimeFields({ form, isNew, openedAt }: TimeProps) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const language = useLanguage()
  const { when, zone, ends, loop, startAt, endAt } = form.values
  const [zones] = useState(() => [...new Set([ownZone(), zone, 'UTC'])])
  return (
    <>
      {isNew && (
        <SelectField
          label={t('when')}
          choices={(['at', 'now'] as const).map((value) => ({ value, label: t(`begins.${value}`) }))}
          {...form.field('when')}
        />
      )}
      {when === 'at' && (
        <div className={styles.pair}>
          <TextField
            label={t('date')}
            type="date"
            max="9999-12-31"
            {...form.field('date')}
            onChange={(date) => form.change(movedTo(date, form.values))}
          />
          <TextField label={t('time')} type="time" step={stepOf(startAt)} {...form.field('time')} />
        </div>
      )}
      <SelectField
        label={t('zone')}
        choices={zones.map((value) => ({ value, label: zoneName(value, openedAt / 1000, language) }))}
        {...form.field('zone')}
      />
      <SelectField
        label={t('ends')}
        choices={[
          { value: 'auto', label: t(loop ? 'endless' : 'afterLast') },
          { value: 'end', label: t('endAt') },
        ]}
        {...form.field('ends')}
      />
      {ends === 'end' && (
        <div className={styles.pair}>
          <TextField label={t('endDate')} type="date" max="9999-12-31" {...form.field('endDate')} />
          <TextField label={t('endTime')} type="time" step={stepOf(endAt)} {...form.field('endTime')} />
        </div>
      )}
    </>
  )
}

function RepeatFields({ form }: { readonly form: DraftForm }) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const language = useLanguage()
  const { repeat, over } = form.values
  const days = form.field('days')
  return (
    <>
      <SelectField
        label={t('repeat')}
        choices={repeatChoices.map((value) => ({ value, label: t(`every.${value}`) }))}
        {...form.field('repeat')}
      />
      {repeat !== 'once' && (
        <>
          <TextField label={t(`distance.${repeat}`)} inputMode="numeric" {...form.field('n')} />
          {repeat === 'week' && (
            <fieldset className={styles.days}>
              <legend>{t('days')}</legend>
              {[1, 2, 3, 4, 5, 6, 7].map((day) => (
                <label key={day} className={styles.check}>
                  <Checkbox
                    checked={days.value.includes(day)}
                    onChange={({ currentTarget }) =>
                      days.onChange(
                        currentTarget.checked ? [...days.value, day] : days.value.filter((one) => one !== day),
                      )
                    }
                  />
                  {weekdayName(day, language)}
                </label>
              ))}
              {days.error && <p className={styles.error}>{days.error}</p>}
            </fieldset>
          )}
          <div className={styles.pair}>
            <SelectField
              label={t('over')}
              choices={seriesEnds.map((value) => ({ value, label: t(`overs.${value}`) }))}
              {...form.field('over')}
            />
            {over === 'until' && <TextField label={t('until')} type="date" max="9999-12-31" {...form.field('until')} />}
            {over === 'count' && <TextField label={t('count')} inputMode="numeric" {...form.field('count')} />}
          </div>
        </>
      )}
    </>
  )
}

/** The dates of the rule before it is saved, as the service computes them. */
function NextDates({ draft, openedAt }: { readonly draft: Draft; readonly openedAt: number }) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const language = useLanguage()
  const dates = nextDates(draft, openedAt)
  return (
    <output className={styles.dates}>
      <strong>{t('dates')}</strong>
      {dates.length === 0 ? (
        <span>{t('noDates')}</span>
      ) : (
        <ol>
          {dates.map((seconds) => (
            <li key={seconds}>{dateIn(seconds, draft.zone, language)}</li>
          ))}
        </ol>
      )}
    </output>
  )
}

function ChannelFields({ projectId, form }: { readonly projectId: number; readonly form: DraftForm }) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const list = useQuery(q(channels.short, { project_id: projectId })).data?.results ?? []
  const { value: chosen, error, onChange } = form.field('channelIds')
  return (
    <>
      <SelectField
        label={t('channels')}
        choices={(['all', 'some'] as const).map((value) => ({ value, label: t(`which.${value}`) }))}
        {...form.field('channels')}
      />
      {form.values.channels === 'some' && (
        <fieldset className={styles.checks}>
          <legend className="visually-hidden">{t('channels')}</legend>
          {list.length === 0 && <p className={styles.hint}>{t('noChannels')}</p>}
          {list.map(({ channel_id: id, name }) => (
            <label key={id} className={styles.check}>
              <Checkbox
                checked={chosen.includes(id)}
                onChange={({ currentTarget }) =>
                  onChange(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              {name}
            </label>
          ))}
          <p className={styles.hint}>{t('channelsHint')}</p>
          {error && <p className={styles.error}>{error}</p>}
        </fieldset>
      )}
    </>
  )
}

function ReturnField({ form }: { readonly form: DraftForm }) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  return (
    <SelectField
      label={t('returns')}
      choices={returnRules.map((value) => ({ value, label: t(`return.${value}`) }))}
      {...form.field('returns')}
    />
  )
}

/** Choices of `late_max`, minutes. */
const lateMinutes = [1, 5, 10, 30, 60, 1440]

function LateFields({ form }: { readonly form: DraftForm }) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const language = useLanguage()
  const { late, lateMax } = form.values
  const minutes = [...new Set([...lateMinutes, Number(lateMax) / 60])].toSorted((a, b) => a - b)
  return (
    <>
      <ChoiceList
        label={t('late')}
        choices={lateRules.map((value) => ({ value, title: t(`lates.${value}`), text: t(`lateTexts.${value}`) }))}
        {...form.field('late')}
      />
      {late === 'begin' && (
        <SelectField
          label={t('lateMax')}
          choices={minutes.map((value) => ({ value: String(value * 60), label: formatMinutes(value, language) }))}
          {...form.field('lateMax')}
        />
      )}
    </>
  )
}
