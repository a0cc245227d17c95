import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channels, delayMax } from '#contract/areas/channels/channels.ts'
import { nameForm, settings } from '#contract/areas/channels/settings.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { type Channel, type PlatformType } from '#contract/entities/channel.ts'
import {
  audioTracks,
  isMainTracks,
  ladders,
  mainTracks,
  missingTracks,
  silences,
  videoTracks,
} from '#contract/entities/tracks.ts'
import { hasAbility, needsSound } from '#contract/platforms/platforms.ts'
import { q } from '#src/api/query.ts'
import { useSettled } from '#src/api/settled.ts'
import { paths } from '#src/lib/paths.ts'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { pageOf, problemOf } from '#src/areas/channels/add-ways.ts'
import styles from './channel.module.css'
import { FormPart } from './settings-card.tsx'
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
    <FormPart
      projectId={props.projectId}
      saved={{ name: props.channel.name }}
      op={settings.setName}
      inputOf={({ name }) => ({ ...wordOf(props), name: name.trim() })}
      messages={{ name: t('name.rule', { max: nameMax }) }}
    >
      {({ field }) => <TextField label={t('field.name')} limit={nameMax} {...field('name')} />}
    </FormPart>
  )
}

/** Returns whether channels of a platform have a page with a chat of their own. */
export const hasPage = (type: PlatformType): boolean => hasAbility(type, 'url_stream')

/** Form for the page of a channel that was added by key. An account brings its page along. */
export function PageForm(props: Props) {
  const { t } = useTranslation('channels')
  const { type, channel_url: page } = props.channel
  return (
    <FormPart
      projectId={props.projectId}
      saved={{ channel_url: page }}
      op={settings.setPage}
      inputOf={({ channel_url }) => ({ ...wordOf(props), channel_url: pageOf(channel_url) })}
      rules={({ channel_url: text }) => ({
        channel_url: text.trim() !== '' && problemOf('page', text, type) ? t('wrong.page') : undefined,
      })}
    >
      {({ field }) => (
        <TextField
          label={t('field.page')}
          hint={t('page.note')}
          inputMode="url"
          placeholder={`${props.channel.platform.url}/…`}
          {...field('channel_url')}
        />
      )}
    </FormPart>
  )
}

const whole = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Form for the channel delay. */
export function DelayForm(props: Props) {
  const { t } = useTranslation('channels')
  return (
    <FormPart
      projectId={props.projectId}
      title={t('output.title')}
      saved={{ delay: String(props.channel.delay ?? 0) }}
      op={channels.setDelay}
      inputOf={({ delay }) => ({ ...wordOf(props), delay: whole(delay) })}
      messages={{ delay: t('delay.rule', { max: delayMax }) }}
    >
      {({ field }) => (
        <TextField
          label={t('field.delay')}
          hint={t('delay.hint', { max: delayMax })}
          inputMode="numeric"
          {...field('delay')}
        />
      )}
    </FormPart>
  )
}

/** Form for the video source: the original stream, or the output of a transcoder. */
export function TranscoderForm(props: Props) {
  const { t } = useTranslation('channels')
  const { data } = useQuery({ ...q(transcoders.list, { project_id: props.projectId }), enabled: useSettled() })
  const known = data?.results ?? []
  const saved = String(props.channel.transcoderId ?? '')
  return (
    <FormPart
      projectId={props.projectId}
      saved={{ transcoder_id: saved }}
      op={settings.setTranscoder}
      inputOf={({ transcoder_id }) => ({
        ...wordOf(props),
        ...(transcoder_id !== '' && { transcoder_id: Number(transcoder_id) }),
      })}
    >
      {({ field }) => (
        <>
          <SelectField
            label={t('field.transcoder')}
            hint={t(data?.results.length === 0 ? 'transcoder.none' : 'transcoder.hint')}
            choices={[
              { value: '', label: t('transcoder.asItComes') },
              ...known.map(({ id, name }) => ({ value: String(id), label: name || String(id) })),
              // Shows the saved transcoder before the list is loaded.
              ...(saved === '' || known.some(({ id }) => String(id) === saved) ? [] : [{ value: saved, label: saved }]),
            ]}
            {...field('transcoder_id')}
          />
          <Link to={paths.ingest(props.projectId, 'transcoders')}>{t('transcoder.make')}</Link>
        </>
      )}
    </FormPart>
  )
}

/** Words of a choice: numbered tracks share a text. */
const wordsOf = (kind: 'v' | 'a', value: string) =>
  /^\d$/.test(value) ? ([`tracks.${kind}.number`, { n: value }] as const) : ([`tracks.${kind}.${value}`, {}] as const)

/** Form for the tracks of an encoder that sends several. */
export function TracksForm(props: Props) {
  const { t } = useTranslation('channels')
  const choices = <V extends string>(kind: 'v' | 'a', values: readonly V[]) =>
    values.map((value) => ({ value, label: t(...wordsOf(kind, value)) }))
  return (
    <FormPart
      projectId={props.projectId}
      title={t('tracks.title')}
      note={t('tracks.note')}
      saved={props.channel.tracks ?? mainTracks}
      op={channels.setTracks}
      inputOf={(tracks) => ({ ...wordOf(props), ...tracks })}
    >
      {({ field, values }) => (
        <>
          <SelectField label={t('tracks.video')} choices={choices('v', videoTracks)} {...field('video')} />
          <SelectField label={t('tracks.audio')} choices={choices('a', audioTracks)} {...field('audio')} />
          {!isMainTracks(values) && (
            <SelectField
              label={t('tracks.missing')}
              choices={missingTracks.map((value) => ({ value, label: t(`tracks.m.${value}`) }))}
              {...field('missing')}
            />
          )}
        </>
      )}
    </FormPart>
  )
}

/** Form for a smaller picture while the channel is too slow. */
export function LadderForm(props: Props) {
  const { t } = useTranslation('channels')
  const { ladder = 'same_size' } = props.channel
  return (
    <FormPart
      projectId={props.projectId}
      saved={{ ladder }}
      op={channels.setLadder}
      inputOf={(values) => ({ ...wordOf(props), ...values })}
    >
      {({ field }) => (
        <SelectField
          label={t('ladder.field')}
          hint={t('ladder.hint')}
          choices={ladders.map((value) => ({ value, label: t(`ladder.${value}`) }))}
          {...field('ladder')}
        />
      )}
    </FormPart>
  )
}

/** Form for silence in place of a missing sound. */
export function SilenceForm(props: Props) {
  const { t } = useTranslation('channels')
  const { type, platform, silence = 'auto' } = props.channel
  const words = { auto: needsSound(type) ? 'autoOn' : 'autoOff', always: 'always', never: 'never' } as const
  return (
    <FormPart
      projectId={props.projectId}
      title={t('silence.title')}
      note={t('silence.note')}
      saved={{ silence }}
      op={channels.setSilence}
      inputOf={(values) => ({ ...wordOf(props), ...values })}
    >
      {({ field }) => (
        <SelectField
          label={t('silence.field')}
          choices={silences.map((value) => ({
            value,
            label: t(`silence.${words[value]}`, { platform: platform.title }),
          }))}
          {...field('silence')}
        />
      )}
    </FormPart>
  )
}

/** Form for a new broadcast in place of one that the platform shows no longer. */
export function HealingForm({ healing, ...props }: Props & { readonly healing: boolean }) {
  const { t } = useTranslation('channels')
  return (
    <FormPart
      projectId={props.projectId}
      title={t('healing.title')}
      note={t('healing.note')}
      saved={{ healing }}
      op={channels.setHealing}
      inputOf={(values) => ({ ...wordOf(props), ...values })}
    >
      {({ field }) => <HealingSwitch {...field('healing')} />}
    </FormPart>
  )
}

function HealingSwitch({ value, onChange }: Pick<FieldBinding<boolean>, 'value' | 'onChange'>) {
  const { t } = useTranslation('channels')
  return (
    <label className={styles.flag}>
      <Checkbox checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      {t('healing.switch')}
    </label>
  )
}
