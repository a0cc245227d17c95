import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import type { VideoCodec } from '#contract/entities/transcoder.ts'
import { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { type Draft, draftOf, formOf, sizes, wrongFields } from './transcoder-draft.ts'
import { ChannelFields, EncoderFields, NumberField } from './transcoder-fields.tsx'
import { useIngestWords } from './use-ingest-words.ts'

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
  const [draft, setDraft] = useState(() => draftOf(transcoder))
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
          <NumberField name="fps" draft={draft} onChange={change} />
          {draft.size === 'other' && (
            <>
              <NumberField name="width" draft={draft} onChange={change} />
              <NumberField name="height" draft={draft} onChange={change} />
            </>
          )}
          <NumberField name="vBitrate" draft={draft} onChange={change} />
          <NumberField name="aBitrate" draft={draft} onChange={change} />
        </div>
        <EncoderFields draft={draft} codecs={codecs} onChange={change} />
        <ChannelFields projectId={projectId} chosen={draft.channelIds} onChange={change} />
      </DialogForm>
    </Dialog>
  )
}
