import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { qualityFactorMin, type StreamKey, streamKeys, type StreamQuality } from '#contract/areas/ingest/stream-keys.ts'
import { keyOf, useWrite } from '#src/api/query.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'

const bitrates = [300, 500, 800, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000]
const seconds = [3, 5, 10, 20, 30, 60]
const usual = { kbps: 1_000, ms: 10_000, back_ms: 20_000 }

/** Returns the rule of a bitrate, with room between both limits. */
const ruleOf = ({ kbps, ms, back_ms }: Pick<StreamQuality, 'kbps' | 'ms' | 'back_ms'>): StreamQuality => ({
  kbps,
  ms,
  back_kbps: Math.ceil((kbps * Math.max(1.5, qualityFactorMin)) / 10) * 10,
  back_ms,
})

/** When a main encoder with a low bitrate gives way to the backup. */
export function QualitySettings({
  projectId,
  streamKey,
}: {
  readonly projectId: number
  readonly streamKey: StreamKey
}) {
  const { t } = useTranslation('ingest', { keyPrefix: 'backup.quality' })
  const { why } = useIngestWords()
  const language = useLanguage()
  const queries = useQueryClient()
  const write = useWrite(streamKeys.setQuality, {
    onSuccess: (_, { quality }) =>
      // The next change begins from this rule, also before fresh data arrives.
      queries.setQueryData<StreamKey>(
        keyOf(streamKeys.get, { project_id: projectId }),
        (known) => known && { ...known, quality },
      ),
  })
  // Shows the requested value while the request is pending.
  const rule = (write.isPending ? write.variables.quality : streamKey.quality) ?? null
  const save = (quality: StreamQuality | null) => write.mutate({ project_id: projectId, quality })
  const number = new Intl.NumberFormat(language)
  return (
    <div className={styles.setting}>
      <Switch
        label={t('label')}
        isOn={rule !== null}
        isBusy={write.isPending}
        onChange={(isOn) => save(isOn ? ruleOf(usual) : null)}
      />
      <p className={styles.hint}>{t('hint')}</p>
      {rule && (
        <>
          <div className={styles.fields}>
            <SelectField
              label={t('kbps')}
              value={String(rule.kbps)}
              choices={choicesOf(bitrates, rule.kbps, (kbps) => t('kbpsValue', { kbps: number.format(kbps) }))}
              onChange={(kbps) => save(ruleOf({ ...rule, kbps: Number(kbps) }))}
            />
            <SelectField
              label={t('seconds')}
              value={String(rule.ms / 1000)}
              choices={choicesOf(seconds, rule.ms / 1000, (value) =>
                t('secondsValue', { value: number.format(value) }),
              )}
              onChange={(value) => save({ ...rule, ms: Number(value) * 1000 })}
            />
          </div>
          <p className={styles.hint}>
            {t('back', { kbps: number.format(rule.back_kbps), value: number.format(rule.back_ms / 1000) })}
          </p>
        </>
      )}
      <Note tone="live">{write.error && t('notSaved', { why: why(write.error) })}</Note>
    </div>
  )
}

/** Offers values, and the current one. */
const choicesOf = (values: readonly number[], current: number, label: (value: number) => string) =>
  [...new Set([...values, current])]
    .toSorted((a, b) => a - b)
    .map((value) => ({ value: String(value), label: label(value) }))
