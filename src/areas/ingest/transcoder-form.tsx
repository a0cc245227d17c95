import { useTranslation } from 'react-i18next'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import { transcoderLimits, type VideoCodec } from '#contract/entities/transcoder.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { draftOf, formOf, numbers, sizes } from './transcoder-draft.ts'
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
  const form = useWriteForm({
    op: transcoder ? transcoders.update : transcoders.add,
    area: 'ingest',
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
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={form.isBusy}>
              {t(transcoder ? 'transcoders.save' : 'transcoders.create')}
            </Button>
          </>
        }
        onSubmit={form.submit}
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
