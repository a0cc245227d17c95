// Fields of the transcoder form.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import { presets, type VideoCodec, videoCodecs } from '#contract/entities/transcoder.ts'
import { q } from '#src/api/query.ts'
import type { Form } from '#src/components/form/use-form.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './ingest.module.css'
import type { Draft, NumberName } from './transcoder-draft.ts'

interface Props {
  readonly form: Pick<Form<Draft>, 'field' | 'values'>
}

/** Number of a transcoder; an empty field keeps the value of the source. */
export function NumberField({ name, form }: Props & { readonly name: NumberName }) {
  const { t } = useTranslation('ingest')
  return (
    <TextField
      label={t(`transcoders.field.${name}`)}
      inputMode="numeric"
      placeholder={name === 'delay' ? '0' : t('transcoders.asItComes')}
      {...form.field(name)}
    />
  )
}

/** Collapsed encoder settings. `codecs`: codecs that the servers can encode. */
export function EncoderFields({ form, codecs }: Props & { readonly codecs: readonly VideoCodec[] }) {
  const { t } = useTranslation('ingest')
  const details = useRef<HTMLDetailsElement>(null)
  const isWrong = form.field('delay').error !== undefined
  useEffect(() => {
    if (details.current && isWrong) details.current.open = true
  }, [isWrong])
  const offered = videoCodecs.filter((codec) => codecs.includes(codec) || codec === form.values.videoCodec)
  return (
    <details
      ref={details}
      className={styles.more}
      // Stays open around an error.
      onToggle={({ currentTarget }) => (currentTarget.open ||= isWrong)}
    >
      <summary>{t('transcoders.more')}</summary>
      <div className={styles.pair}>
        <SelectField
          label={t('transcoders.field.videoCodec')}
          choices={offered.map((value) => ({ value, label: t(`transcoders.codec.${value}`) }))}
          {...form.field('videoCodec')}
        />
        <SelectField
          label={t('transcoders.field.preset')}
          choices={presets.map((value) => ({ value, label: t(`transcoders.preset.${value}`) }))}
          {...form.field('preset')}
        />
        <SelectField
          label={t('transcoders.field.rotation')}
          choices={['', '1', '2'].map((value) => ({ value, label: t(`transcoders.turn.${value || 'none'}`) }))}
          {...form.field('rotation')}
        />
        <SelectField
          label={t('transcoders.field.bFrames')}
          choices={['', '0', '1', '2', '3'].map((value) => ({ value, label: value || t('transcoders.noBFrames') }))}
          {...form.field('bFrames')}
        />
        <NumberField name="delay" form={form} />
      </div>
    </details>
  )
}

/** Checkboxes for the channels that receive the output of the transcoder. */
export function ChannelFields({
  projectId,
  value: chosen,
  onChange,
}: {
  readonly projectId: number
  readonly value: readonly number[]
  readonly onChange: (value: readonly number[]) => void
}) {
  const { t } = useTranslation('ingest')
  const list = useQuery(q(channels.short, { project_id: projectId }))
  return (
    <fieldset className={styles.checks}>
      <legend>{t('transcoders.field.channels')}</legend>
      {list.data?.results.length === 0 && <p className={styles.hint}>{t('transcoders.noChannels')}</p>}
      {list.data?.results.map(({ channel_id, name }) => (
        <label key={channel_id}>
          <input
            type="checkbox"
            checked={chosen.includes(channel_id)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, channel_id] : chosen.filter((id) => id !== channel_id))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
