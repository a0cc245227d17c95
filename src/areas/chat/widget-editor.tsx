// Settings of a widget beside a preview of its page, which shows each change at once.
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type WidgetRow, widgets } from '#contract/areas/realtime/widgets.ts'
import { type WidgetKind, widgetLimits } from '#contract/entities/widget-kinds.ts'
import { type WidgetSettings } from '#contract/entities/widget.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { previewPath } from '#src/lib/widget-address.ts'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './chat.module.css'

/** Settings as fields show them. */
type Draft = { readonly [K in Exclude<keyof WidgetSettings, 'test'>]-?: NonNullable<WidgetSettings[K]> }

const defaultsOf = (kind: WidgetKind): Draft => ({
  bg: '#09121d',
  text: '#f6f7fb',
  opacity: 100,
  size: kind === 'badge' ? 40 : 120,
  channels_size: 40,
  channels: true,
  channels_layout: 'row',
  total: true,
  icon: false,
  title: '',
  until: '',
  timer: true,
})

const looks = ['bg', 'text', 'opacity', 'size'] as const
/** Settings that a kind has. */
const fieldsOf: Readonly<Record<WidgetKind, readonly (keyof Draft)[]>> = {
  counter: [...looks, 'total', 'icon', 'channels', 'channels_layout', 'channels_size'],
  badge: ['title', 'timer', ...looks],
  countdown: ['title', 'until', ...looks],
  health: [],
}

/** Returns the settings of a kind that differ from their defaults. */
function payloadOf(kind: WidgetKind, draft: Draft): WidgetSettings {
  const usual = defaultsOf(kind)
  return Object.fromEntries(
    fieldsOf[kind].filter((name) => draft[name] !== usual[name]).map((name) => [name, draft[name]]),
  )
}

interface Props {
  readonly projectId: number
  readonly row: WidgetRow
  readonly onClose: () => void
}

/** Editor of one widget. */
export function WidgetEditor({ projectId, row, onClose }: Props) {
  const { t } = useTranslation('widgets')
  const why = useFailureText()
  const { kind, template_id } = row
  const [name, setName] = useState(row.name)
  const [draft, setDraft] = useState(() => ({ ...defaultsOf(kind), ...row.payload }) as Draft)
  const set = (change: Partial<Draft>) => setDraft((known) => ({ ...known, ...change }))
  const payload = payloadOf(kind, draft)
  const save = useWrite(widgets.update, { onSuccess: onClose })
  return (
    <form
      noValidate
      className={styles.form}
      aria-label={row.name}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ project_id: projectId, template_id, name, payload })
      }}
    >
      <Preview kind={kind} settings={payload} />
      <TextField label={t('name')} maxLength={widgetLimits.name} value={name} onChange={setName} />
      {fieldsOf[kind].map((field) => (
        <SettingField key={field} field={field} draft={draft} onChange={set} />
      ))}
      <div className={styles.oneActs}>
        <Button type="submit" isBusy={save.isPending}>
          {t('save')}
        </Button>
        <Button look="outline" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
      <Note tone="live">{save.error && why(save.error)}</Note>
    </form>
  )
}

function Preview({ kind, settings }: { readonly kind: WidgetKind; readonly settings: WidgetSettings }) {
  const { t } = useTranslation('widgets')
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const take = ({ source, data }: MessageEvent<unknown>) => {
      if (source === frame.current?.contentWindow && Object(data).type === 'relaydeck:widget:ready') setReady(true)
    }
    addEventListener('message', take)
    return () => removeEventListener('message', take)
  }, [])
  const text = JSON.stringify(settings)
  useEffect(() => {
    if (isReady)
      frame.current?.contentWindow?.postMessage(
        { type: 'relaydeck:widget', payload: JSON.parse(text) },
        location.origin,
      )
  }, [isReady, text])
  return (
    <div className={styles.preview}>
      <iframe ref={frame} title={t('preview')} src={previewPath(kind)} />
    </div>
  )
}

interface FieldProps {
  readonly field: keyof Draft
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
}

function SettingField({ field, draft, onChange }: FieldProps) {
  const { t } = useTranslation('widgets')
  const label = t(`fields.${field}`)
  const { channels } = widgetLimits
  switch (field) {
    case 'bg':
    case 'text':
      return (
        <TextField type="color" label={label} value={draft[field]} onChange={(value) => onChange({ [field]: value })} />
      )
    case 'opacity':
      return <NumberField {...{ label, field, draft, onChange }} min={0} max={100} />
    case 'size':
      return <NumberField {...{ label, field, draft, onChange }} {...widgetLimits.size} />
    case 'channels_size':
      return <NumberField {...{ label, field, draft, onChange }} {...channels} />
    case 'channels_layout':
      return (
        <SelectField
          label={label}
          value={draft.channels_layout}
          choices={(['row', 'column'] as const).map((value) => ({ value, label: t(`layouts.${value}`) }))}
          onChange={(value) => onChange({ channels_layout: value })}
        />
      )
    case 'title':
      return (
        <TextField
          label={label}
          maxLength={widgetLimits.title}
          value={draft.title}
          onChange={(title) => onChange({ title })}
        />
      )
    case 'until':
      return (
        <TextField
          type="datetime-local"
          label={label}
          value={localOf(draft.until)}
          onChange={(value) => onChange({ until: value === '' ? '' : new Date(value).toISOString() })}
        />
      )
    default:
      return <Switch label={label} isOn={draft[field]} onChange={(value) => onChange({ [field]: value })} />
  }
}

interface NumberProps extends FieldProps {
  readonly field: 'opacity' | 'size' | 'channels_size'
  readonly label: string
  readonly min: number
  readonly max: number
}

function NumberField({ field, label, min, max, draft, onChange }: NumberProps) {
  return (
    <TextField
      type="range"
      label={label}
      min={min}
      max={max}
      value={String(draft[field])}
      onChange={(value) => onChange({ [field]: Number(value) })}
    />
  )
}

/** Value of a `datetime-local` field in the time zone of the browser. */
function localOf(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
