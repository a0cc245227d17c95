import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import { type Preset, presets, transcoderLimits, type VideoCodec, videoCodecs } from '#contract/entities/transcoder.ts'
import { q, useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { type Draft, draftOf, formOf, type NumberName, sizes, wrongFields } from './transcoder-draft.ts'
import { useIngestWords } from './use-ingest-words.ts'

const nameMax = 100

interface Props {
  readonly projectId: number
  /** Null: a new one. */
  readonly transcoder: Transcoder | null
  /** What the servers can make. */
  readonly codecs: readonly VideoCodec[]
  readonly onClose: () => void
}

/** A new transcoder, or another picture of one. */
export function TranscoderForm({ projectId, transcoder, codecs, onClose }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const [draft, setDraft] = useState(() => draftOf(transcoder))
  const list = useQuery(q(channels.short, { project_id: projectId }))
  const add = useWrite(transcoders.add, { onSuccess: onClose })
  const update = useWrite(transcoders.update, { onSuccess: onClose })
  const wrong = wrongFields(draft)
  const isBusy = add.isPending || update.isPending
  const error = add.error ?? update.error
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const handleSubmit = () => {
    if (isBusy || wrong.length > 0 || draft.name.length > nameMax) return
    const form = { project_id: projectId, ...formOf(draft) }
    if (transcoder) update.mutate({ ...form, transcoder_id: transcoder.id })
    else add.mutate({ ...form, mode: draft.mode })
  }
  const number = (name: NumberName) => {
    const { min, max } = transcoderLimits[name]
    return (
      <TextField
        label={t(`transcoders.field.${name}`)}
        inputMode="numeric"
        placeholder={name === 'delay' ? '0' : t('transcoders.asItComes')}
        value={draft[name]}
        error={wrong.includes(name) ? t('transcoders.rule', { min, max }) : undefined}
        onChange={(value) => change({ [name]: value })}
      />
    )
  }
  const offered = videoCodecs.filter((codec) => codecs.includes(codec) || codec === draft.videoCodec)
  return (
    <Dialog
      title={transcoder ? t('transcoders.editTitle', { title: transcoder.name }) : t('transcoders.create')}
      onClose={onClose}
    >
      <DialogForm
        problem={error && t('transcoders.notDone', { why: why(error) })}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={isBusy} isOff={wrong.length > 0}>
              {t(transcoder ? 'transcoders.save' : 'transcoders.create')}
            </Button>
          </>
        }
        onSubmit={handleSubmit}
      >
        {!transcoder && (
          <>
            <Choice
              label={t('transcoders.mode')}
              value={draft.mode}
              choices={[
                { value: 'custom', label: t('transcoders.custom') },
                { value: 'twitch', label: 'Twitch' },
              ]}
              onChange={(mode) => change({ mode })}
            />
            {draft.mode === 'twitch' && <p className={styles.hint}>{t('transcoders.twitchHint')}</p>}
          </>
        )}
        <TextField
          label={t('transcoders.field.name')}
          value={draft.name}
          limit={nameMax}
          onChange={(name) => change({ name })}
        />
        <div className={styles.pair}>
          <SelectField
            label={t('transcoders.field.size')}
            value={draft.size}
            choices={[
              { value: '', label: t('transcoders.asItComes') },
              ...sizes.map((value) => ({ value, label: value.replace('x', ' × ') })),
              { value: 'other', label: t('transcoders.otherSize') },
            ]}
            onChange={(size) => change({ size })}
          />
          {number('fps')}
          {draft.size === 'other' && number('width')}
          {draft.size === 'other' && number('height')}
          {number('vBitrate')}
          {number('aBitrate')}
        </div>
        <details className={styles.more}>
          <summary>{t('transcoders.more')}</summary>
          <div className={styles.pair}>
            <SelectField
              label={t('transcoders.field.videoCodec')}
              value={draft.videoCodec}
              choices={offered.map((value) => ({ value, label: t(`transcoders.codec.${value}`) }))}
              onChange={(videoCodec) => change({ videoCodec: videoCodec as VideoCodec })}
            />
            <SelectField
              label={t('transcoders.field.preset')}
              value={draft.preset}
              choices={presets.map((value) => ({ value, label: t(`transcoders.preset.${value}`) }))}
              onChange={(preset) => change({ preset: preset as Preset })}
            />
            <SelectField
              label={t('transcoders.field.rotation')}
              value={draft.rotation}
              choices={['', '1', '2'].map((value) => ({ value, label: t(`transcoders.turn.${value || 'none'}`) }))}
              onChange={(rotation) => change({ rotation })}
            />
            <SelectField
              label={t('transcoders.field.bFrames')}
              value={draft.bFrames}
              choices={['', '0', '1', '2', '3'].map((value) => ({ value, label: value || t('transcoders.noBFrames') }))}
              onChange={(bFrames) => change({ bFrames })}
            />
            {number('delay')}
          </div>
        </details>
        <fieldset className={styles.checks}>
          <legend>{t('transcoders.field.channels')}</legend>
          {list.data?.results.length === 0 && <p className={styles.hint}>{t('transcoders.noChannels')}</p>}
          {list.data?.results.map(({ channel_id, name }) => (
            <label key={channel_id}>
              <input
                type="checkbox"
                checked={draft.channelIds.includes(channel_id)}
                onChange={({ currentTarget }) =>
                  change({
                    channelIds: currentTarget.checked
                      ? [...draft.channelIds, channel_id]
                      : draft.channelIds.filter((id) => id !== channel_id),
                  })
                }
              />
              {name}
            </label>
          ))}
        </fieldset>
      </DialogForm>
    </Dialog>
  )
}
