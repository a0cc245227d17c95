import { useTranslation } from 'react-i18next'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import { presets, transcoderLimits, type VideoCodec, videoCodecs } from '#contract/entities/transcoder.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { type Draft, draftOf, formOf, type NumberName, numbers, sizes } from './transcoder-draft.ts'
import { useIngestWords } from './use-ingest-words.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { channels } from '#contract/areas/channels/channels.ts'
import { q } from '#src/api/query.ts'
import type { Form } from '#src/components/form/use-form.ts'

const nameMax = 100

interface Props {
  readonly projectId: number
  /** Null for a new transcoder. */
  readonly transcoder: Transcoder | null
  /** Codecs of the servers. */
  readonly codecs: readonly VideoCodec[]
  readonly onClose: () => void
}

/** Form that creates or changes a transcoder. */
export function TranscoderForm({ projectId, transcoder, codecs, onClose }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const form = useWriteForm({
    op: transcoder ? transcoders.update : transcoders.add,
    values: draftOf(transcoder),
    inputOf: (draft) => ({
      project_id: projectId,
      ...formOf(draft),
      ...(transcoder ? { transcoder_id: transcoder.id } : { mode: draft.mode }),
    }),
    mode: 'onChange',
    messages: Object.fromEntries(numbers.map((name) => [name, t('transcoders.rule', transcoderLimits[name])])),
    onSuccess: onClose,
  })
  return (
    <Dialog
      title={transcoder ? t('transcoders.editTitle', { title: transcoder.name }) : t('transcoders.create')}
      onClose={onClose}
    >
      <DialogForm
        problem={form.problem && t('transcoders.notDone', { why: why(form.problem) })}
        cancel={t('cancel')}
        submit={t(transcoder ? 'transcoders.save' : 'transcoders.create')}
        isBusy={form.isBusy}
        onSubmit={form.submit}
        onClose={onClose}
      >
        {!transcoder && (
          <>
            <Choice
              label={t('transcoders.mode')}
              choices={[
                { value: 'custom', label: t('transcoders.custom') },
                { value: 'twitch', label: 'Twitch' },
              ]}
              {...form.field('mode')}
            />
            {form.values.mode === 'twitch' && <p className={styles.hint}>{t('transcoders.twitchHint')}</p>}
          </>
        )}
        <TextField label={t('transcoders.field.name')} limit={nameMax} {...form.field('name')} />
        <div className={styles.pair}>
          <SelectField
            label={t('transcoders.field.size')}
            choices={[
              { value: '', label: t('transcoders.asItComes') },
              ...sizes.map((value) => ({ value, label: value.replace('x', ' × ') })),
              { value: 'other', label: t('transcoders.otherSize') },
            ]}
            {...form.field('size')}
          />
          <NumberField name="fps" form={form} />
          {form.values.size === 'other' && (
            <>
              <NumberField name="width" form={form} />
              <NumberField name="height" form={form} />
            </>
          )}
          <NumberField name="vBitrate" form={form} />
          <NumberField name="aBitrate" form={form} />
        </div>
        <EncoderFields form={form} codecs={codecs} />
        <ChannelFields projectId={projectId} {...form.field('channelIds')} />
      </DialogForm>
    </Dialog>
  )
}

// Fields of the transcoder form.

interface NumberFieldProps {
  readonly form: Pick<Form<Draft>, 'field' | 'values'>
}

/** Number of a transcoder; an empty field keeps the value of the source. */
function NumberField({ name, form }: NumberFieldProps & { readonly name: NumberName }) {
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
function EncoderFields({ form, codecs }: NumberFieldProps & { readonly codecs: readonly VideoCodec[] }) {
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
function ChannelFields({
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
          <Checkbox
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
