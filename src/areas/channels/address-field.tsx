import { type Ref, useState } from 'react'
import { factsOf } from '#contract/platforms/platforms.ts'
import { useTranslation } from 'react-i18next'
import type { Platform } from '#contract/entities/channel.ts'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { isCustomAddress, typeOf } from './add-ways.ts'
import { CustomAddressNote } from './custom-address-note.tsx'

interface Props {
  readonly projectId: number
  readonly platform: Pick<Platform, 'type' | 'title' | 'ingests' | 'hosts'>
  readonly value: string
  /** Current address of the channel, which stays valid. */
  readonly saved?: string
  readonly error: string | undefined
  readonly isFirst?: boolean
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (address: string) => void
}

/** Ingest address: one of the platform's published addresses, or a custom one. */
export function AddressField(props: Props) {
  const { projectId, platform, value, saved, error, isFirst = false, ref, onChange } = props
  const { t } = useTranslation('channels')
  const { ingests, type } = platform
  // A channel keeps its protocol.
  const isAny = type === 'custom' && saved === undefined
  const isSrt = type === 'srt' || (isAny && typeOf(type, value) === 'srt')
  // Titles name a protocol and primary or backup; only the latter is translated.
  const labelOf = (title: string) =>
    title
      .split(', ')
      .map((part, at) => (at === 0 ? part : t(`ingest.${part}`, { defaultValue: part })))
      .join(t('common:comma'))
  const [isOwn, setOwn] = useState(!ingests.some(({ url }) => url === value))
  return (
    <>
      {ingests.length > 0 && (
        <SelectField
          label={t('field.server')}
          hint={isOwn ? undefined : <code>{value}</code>}
          value={isOwn ? '' : value}
          choices={[
            ...ingests.map(({ title, url }) => ({ value: url, label: labelOf(title) })),
            { value: '', label: t('field.ownServer') },
          ]}
          onChange={(url) => {
            setOwn(url === '')
            onChange(url)
          }}
        />
      )}
      {isOwn && (
        <TextField
          label={t('field.address')}
          hint={t(type === 'srt' ? 'field.srtHint' : isAny ? 'field.anyHint' : 'field.addressHint')}
          placeholder={type === 'srt' ? 'srt://live.example.com:9000?streamid=…' : 'rtmp://live.example.com/app'}
          inputMode="url"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a form that the user opened
          autoFocus={isFirst}
          maxLength={1000}
          ref={ref}
          value={value}
          error={error}
          onChange={onChange}
        />
      )}
      <Note tone="warn">{isSrt && t('field.srtCost')}</Note>
      <CustomAddressNote
        projectId={projectId}
        platform={factsOf(type).generic ? null : platform.title}
        isCustom={isOwn && value !== saved && isCustomAddress(platform, value)}
      />
    </>
  )
}
