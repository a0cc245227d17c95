// Fields of the transcoder form.
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import { type Preset, presets, transcoderLimits, type VideoCodec, videoCodecs } from '#contract/entities/transcoder.ts'
import { q } from '#src/api/query.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './ingest.module.css'
import { type Draft, type NumberName, wrongFields } from './transcoder-draft.ts'

interface Props {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

/** Number of a draft, with its limits as the error. */
export function NumberField({ name, draft, onChange }: Props & { readonly name: NumberName }) {
  const { t } = useTranslation('ingest')
  const { min, max } = transcoderLimits[name]
  return (
    <TextField
      label={t(`transcoders.field.${name}`)}
      inputMode="numeric"
      placeholder={name === 'delay' ? '0' : t('transcoders.asItComes')}
      value={draft[name]}
      error={wrongFields(draft).includes(name) ? t('transcoders.rule', { min, max }) : undefined}
      onChange={(value) => onChange({ [name]: value })}
    />
  )
}

/** Collapsed encoder settings. `codecs`: codecs that the servers can encode. */
export function EncoderFields({ draft, codecs, onChange }: Props & { readonly codecs: readonly VideoCodec[] }) {
  const { t } = useTranslation('ingest')
  const offered = videoCodecs.filter((codec) => codecs.includes(codec) || codec === draft.videoCodec)
  return (
    <details className={styles.more}>
      <summary>{t('transcoders.more')}</summary>
      <div className={styles.pair}>
        <SelectField
          label={t('transcoders.field.videoCodec')}
          value={draft.videoCodec}
          choices={offered.map((value) => ({ value, label: t(`transcoders.codec.${value}`) }))}
          onChange={(videoCodec) => onChange({ videoCodec: videoCodec as VideoCodec })}
        />
        <SelectField
          label={t('transcoders.field.preset')}
          value={draft.preset}
          choices={presets.map((value) => ({ value, label: t(`transcoders.preset.${value}`) }))}
          onChange={(preset) => onChange({ preset: preset as Preset })}
        />
        <SelectField
          label={t('transcoders.field.rotation')}
          value={draft.rotation}
          choices={['', '1', '2'].map((value) => ({ value, label: t(`transcoders.turn.${value || 'none'}`) }))}
          onChange={(rotation) => onChange({ rotation })}
        />
        <SelectField
          label={t('transcoders.field.bFrames')}
          value={draft.bFrames}
          choices={['', '0', '1', '2', '3'].map((value) => ({ value, label: value || t('transcoders.noBFrames') }))}
          onChange={(bFrames) => onChange({ bFrames })}
        />
        <NumberField name="delay" draft={draft} onChange={onChange} />
      </div>
    </details>
  )
}

/** Checkboxes for the channels that receive the output of the transcoder. */
export function ChannelFields({
  projectId,
  chosen,
  onChange,
}: {
  readonly projectId: number
  readonly chosen: readonly number[]
  readonly onChange: (part: Pick<Draft, 'channelIds'>) => void
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
              onChange({
                channelIds: currentTarget.checked ? [...chosen, channel_id] : chosen.filter((id) => id !== channel_id),
              })
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
