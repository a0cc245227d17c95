import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/channels/settings.ts'
import type { Input, WriteOperation } from '#contract/core/operation.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { forms } from '#contract/platforms/forms.gen.ts'
import { type CategoryPlatform, categoryPlatforms, type FormPlatform, isOneOf } from '#contract/platforms/platforms.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { FormPart } from './settings-card.tsx'
import { fieldsOf, hasField, type StreamField, streamInputOf, type StreamValues, valuesOf } from './stream-fields.ts'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './channel.module.css'
import { type ChangeEvent, lazy, Suspense, useEffect, useId, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { q } from '#src/api/query.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { planned } from '#contract/areas/channels/planned.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'

const ComboField = lazy(async () => ({ default: (await import('#src/ui/combo-field.tsx')).ComboField }))

interface CategoryFieldProps {
  readonly projectId: number
  readonly type: CategoryPlatform
  readonly values: StreamValues
  readonly onChange: (part: StreamValues) => void
}

/** Debounce before a search request, milliseconds. */
const restMs = 300

/** Category of a stream; searches the platform with the user's account. */
function CategoryField({ projectId, type, values, onChange }: CategoryFieldProps) {
  const { t } = useTranslation('channels')
  const chosen = { id: String(values['category_id']), name: String(values['category_name']) }
  // The search list loads its library on first use.
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(chosen.name)
  const wanted = useRested(text)
  // No search while the field shows the selected category.
  const found = useQuery({
    ...q(platforms.category, { q: wanted, type }),
    enabled: wanted !== '' && wanted !== chosen.name,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })
  const categories = found.data?.results ?? []
  const all = [
    ...(chosen.id && !categories.some(({ id }) => id === chosen.id) ? [chosen] : []),
    ...categories.map(({ id, name }) => ({ id, name })),
  ]
  const below = categories.find(({ id }) => id === chosen.id)?.subList ?? []
  const second = String(values['category_secondary_id'] ?? '')
  const choose = (id: string | null) => {
    const one = all.find((category) => category.id === id)
    onChange({
      category_id: one?.id ?? '',
      category_name: one?.name ?? '',
      ...(hasField(type, 'category_secondary_id') && { category_secondary_id: '', category_secondary_name: '' }),
    })
  }
  return (
    <>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={92} />}>
          <ComboField
            isFocused
            label={t('field.category_id')}
            hint={t('category.hint')}
            error={found.error && <Refusal projectId={projectId} error={found.error} />}
            value={chosen.id || null}
            choices={all.map(({ id, name }) => ({ value: id, label: name }))}
            search={{ text, onChange: setText }}
            nothing={t(found.isFetching ? 'category.searching' : wanted === '' ? 'category.type' : 'category.nothing')}
            clearLabel={t('category.clear')}
            onChange={choose}
          />
        </Suspense>
      ) : (
        <div className={styles.category}>
          <span className={styles.imageLabel}>{t('field.category_id')}</span>
          <span>{chosen.name || t('category.none')}</span>
          <button type="button" className={styles.pick} onClick={() => setOpen(true)}>
            {t('category.choose')}
          </button>
        </div>
      )}
      {(below.length > 0 || second !== '') && (
        <SelectField
          label={t('field.category_secondary_id')}
          value={second}
          choices={[
            { value: '', label: t('field.unchanged') },
            ...(below.length > 0
              ? below.map(({ id, name }) => ({ value: id, label: name }))
              : [{ value: second, label: String(values['category_secondary_name']) }]),
          ]}
          onChange={(id) =>
            onChange({
              category_secondary_id: id,
              category_secondary_name: below.find((one) => one.id === id)?.name ?? '',
            })
          }
        />
      )}
    </>
  )
}

/** Debounced text. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text.trim()), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

interface ImageFieldProps {
  readonly label: string
  readonly value: string
  /** Maximum length of the value in characters: the image is sent as text. */
  readonly limit: number
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** Image of a stream: a small file, stored in the form as text. */
function ImageField({ label, value, limit, error, onChange }: ImageFieldProps) {
  const { t } = useTranslation('channels')
  const id = useId()
  const [isTooLarge, setTooLarge] = useState(false)
  const handleChoice = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0]
    input.value = ''
    if (!file) return
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const text = reader.result as string
      setTooLarge(text.length > limit)
      if (text.length <= limit) onChange(text)
    })
    reader.readAsDataURL(file)
  }
  return (
    <div className={styles.image}>
      <span className={styles.imageLabel}>{label}</span>
      <label className={styles.pick}>
        {t(value ? 'image.replace' : 'image.choose')}
        <input
          type="file"
          accept="image/jpeg,image/png"
          className="visually-hidden"
          aria-describedby={id}
          onChange={handleChoice}
        />
      </label>
      {value && (
        <button type="button" className={styles.drop} onClick={() => onChange('')}>
          {t('image.remove')}
        </button>
      )}
      <output id={id} className={styles.imageNote} data-bad={isTooLarge || Boolean(error) || undefined}>
        {isTooLarge ? t('image.tooLarge', { kb: maxKb(limit) }) : error || t('image.rule', { kb: maxKb(limit) })}
      </output>
    </div>
  )
}

/** Largest file in KB that fits: base64 needs four characters for three bytes. */
const maxKb = (limit: number): number => Math.floor((limit * 3) / 4 / 1024)

interface StreamFieldInputProps extends FieldBinding<string | boolean> {
  readonly field: StreamField
}

/** Input for one stream field, by its kind. */
function StreamFieldInput({ field, ...binding }: StreamFieldInputProps) {
  const { t } = useTranslation('channels')
  const { name } = field
  const { value, error, onChange } = binding
  const text = { ...binding, label: t(`field.${name}`), value: String(value) }
  if (field.kind === 'flag')
    return (
      <label className={styles.flag}>
        <Checkbox checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {t(`field.${name}`)}
      </label>
    )
  if (field.kind === 'text') return <TextArea {...text} limit={field.max} rows={5} />
  if (field.kind === 'image')
    return <ImageField label={text.label} value={text.value} limit={field.max} error={error} onChange={onChange} />
  if (field.kind === 'tags') return <TextField {...text} hint={t('field.tagsHint', { count: field.max })} />
  if (field.kind === 'line') return <TextField {...text} limit={field.max} />
  return (
    <SelectField
      {...text}
      choices={[
        { value: '', label: t('field.unchanged') },
        ...field.words.map((word) => ({ value: word, label: t(`word.${name}.${word}`) })),
      ]}
    />
  )
}

interface Props {
  readonly projectId: number
  readonly channel: Channel
  readonly type: FormPlatform
}

type SetOptions = WriteOperation<(typeof settings.setOk)['input'], (typeof settings.setOk)['output']>

/** Typed as the smallest operation; the contract's schema decides which fields are sent. */
const operationOf = (type: FormPlatform) => settings[forms[type].operation] as unknown as SetOptions

/** Stream settings of a platform, with its own fields and limits; sent through the account of the channel. */
export function StreamForm({ projectId, channel, type }: Props) {
  const { t } = useTranslation('channels')
  return (
    <FormPart
      projectId={projectId}
      title={t('stream.title')}
      note={t('stream.note', { platform: channel.platform.title })}
      saved={valuesOf(type, channel.streamInfo)}
      op={operationOf(type)}
      inputOf={(values) =>
        ({ project_id: projectId, channel_id: channel.group_id, ...streamInputOf(type, values) }) as Input<SetOptions>
      }
    >
      {({ values, change, field }) => (
        <>
          <StreamPreview channel={channel} values={values} />
          {fieldsOf(type).map((one) => (
            <StreamFieldInput key={one.name} field={one} {...field(one.name)} />
          ))}
          {isOneOf(categoryPlatforms, type) && (
            <CategoryField projectId={projectId} type={type} values={values} onChange={change} />
          )}
          {hasField(type, 'playlist_id') && (
            <PlaylistField
              projectId={projectId}
              channel={channel}
              value={String(values['playlist_id'])}
              onChange={(id) => change({ playlist_id: id })}
            />
          )}
        </>
      )}
    </FormPart>
  )
}

interface PlaylistFieldProps {
  readonly projectId: number
  readonly channel: Channel
  readonly value: string
  readonly onChange: (playlistId: string) => void
}

/** Playlist of the broadcast, from the playlists on the platform. */
function PlaylistField({ projectId, channel, value, onChange }: PlaylistFieldProps) {
  const { t } = useTranslation('channels')
  const list = useQuery(q(planned.playlists, { project_id: projectId, channel_id: channel.group_id }))
  const found = list.data?.results ?? []
  const isKnown = value === '' || found.some(({ id }) => id === value)
  return (
    <SelectField
      label={t('field.playlist_id')}
      error={list.error && <Refusal projectId={projectId} error={list.error} />}
      value={value}
      choices={[
        { value: '', label: t('playlist.none') },
        ...(isKnown ? [] : [{ value, label: value }]),
        ...found.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={onChange}
    />
  )
}

/** Approximate list entry on the platform: image, two lines of title, channel name. */
function StreamPreview({ channel, values }: { readonly channel: Channel; readonly values: StreamValues }) {
  const { t } = useTranslation('channels')
  const image = typeof values['image'] === 'string' ? values['image'] : ''
  const more = [values['category_name'], values['tags']].filter(Boolean).join(' · ')
  return (
    <figure className={styles.preview}>
      <div className={styles.picture}>
        {/* Never fetches images from other hosts: the page connects to its own service only. */}
        {image.startsWith('data:') ? <img src={image} alt="" /> : <PlatformIcon type={channel.type} size={44} />}
      </div>
      <figcaption className={styles.previewWords}>
        <span className={styles.previewKind}>{t('stream.preview')}</span>
        <strong className={styles.previewTitle}>{values['title'] || t('stream.untitled')}</strong>
        <span className={styles.previewName}>{channel.name}</span>
        {more && <span className={styles.previewName}>{more}</span>}
      </figcaption>
    </figure>
  )
}
