import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channels, delayMax } from '#contract/areas/channels/channels.ts'
import { nameForm, settings } from '#contract/areas/channels/settings.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { FormCard } from './form-card.tsx'
import { maxOf } from '#src/areas/channels/limits.ts'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

const wordOf = ({ projectId, channel }: Props) => ({ project_id: projectId, channel_id: channel.group_id })
const nameMax = maxOf(nameForm.shape.name)

/** Form for the channel name. */
export function NameForm(props: Props) {
  const { t } = useTranslation('channels')
  return (
    <FormCard
      projectId={props.projectId}
      title={t('name.title')}
      saved={{ name: props.channel.name }}
      op={settings.setName}
      inputOf={({ name }) => ({ ...wordOf(props), name: name.trim() })}
      wrong={({ name }) =>
        nameForm.safeParse({ name: name.trim() }).success ? null : t('name.rule', { max: nameMax })
      }
    >
      {({ values, change, errorOf }) => (
        <TextField
          label={t('field.name')}
          value={values.name}
          limit={nameMax}
          error={errorOf('name')}
          onChange={(name) => change({ name })}
        />
      )}
    </FormCard>
  )
}

const whole = (text: string): number | null => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null)

/** Form for the channel delay. */
export function DelayForm(props: Props) {
  const { t } = useTranslation('channels')
  const isWrong = (delay: string) => (whole(delay) ?? delayMax + 1) > delayMax
  return (
    <FormCard
      projectId={props.projectId}
      title={t('delay.title')}
      saved={{ delay: String(props.channel.delay ?? 0) }}
      op={channels.setDelay}
      inputOf={({ delay }) => ({ ...wordOf(props), delay: whole(delay) ?? 0 })}
      wrong={({ delay }) => (isWrong(delay) ? t('delay.rule', { max: delayMax }) : null)}
    >
      {({ values, change, errorOf }) => (
        <TextField
          label={t('field.delay')}
          hint={t('delay.hint', { max: delayMax })}
          inputMode="numeric"
          value={values.delay}
          error={errorOf('delay')}
          onChange={(delay) => change({ delay })}
        />
      )}
    </FormCard>
  )
}

/** Form for the video source: the original stream, or the output of a transcoder. */
export function TranscoderForm(props: Props) {
  const { t } = useTranslation('channels')
  const { data } = useQuery(q(transcoders.list, { project_id: props.projectId }))
  const known = data?.results ?? []
  const saved = String(props.channel.transcoderId ?? '')
  return (
    <FormCard
      projectId={props.projectId}
      title={t('transcoder.title')}
      saved={{ transcoder: saved }}
      op={settings.setTranscoder}
      inputOf={({ transcoder }) => ({
        ...wordOf(props),
        ...(transcoder !== '' && { transcoder_id: Number(transcoder) }),
      })}
    >
      {({ values, change }) => (
        <>
          <SelectField
            label={t('field.transcoder')}
            hint={t(data?.results.length === 0 ? 'transcoder.none' : 'transcoder.hint')}
            value={values.transcoder}
            choices={[
              { value: '', label: t('transcoder.asItComes') },
              ...known.map(({ id, name }) => ({ value: String(id), label: name || String(id) })),
              // Shows the saved transcoder before the list is loaded.
              ...(saved === '' || known.some(({ id }) => String(id) === saved) ? [] : [{ value: saved, label: saved }]),
            ]}
            onChange={(transcoder) => change({ transcoder })}
          />
          <Link to={paths.ingest(props.projectId, 'transcoders')}>{t('transcoder.make')}</Link>
        </>
      )}
    </FormCard>
  )
}
