// Exhibits of what users press, switch and fill in.
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Button, buttonClass, IconButton, iconButtonClass } from '#src/ui/button.tsx'
import { Checkbox, Radio } from '#src/ui/checkbox.tsx'
import { ChoiceList } from '#src/ui/choice-list.tsx'
import { ComboField } from '#src/ui/combo-field.tsx'
import { CopyButton, CopyIcon } from '#src/ui/copy-button.tsx'
import { Field } from '#src/ui/field.tsx'
import { Menu, menuItemClass } from '#src/ui/menu.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import type { ExhibitProps } from './kit-texts.ts'

const looks = ['filled', 'outline', 'quiet', 'danger'] as const

export function Buttons({ texts }: ExhibitProps) {
  const words = { idle: texts.copy, copied: texts.copied, refused: texts.refused }
  return (
    <>
      {looks.map((look) => (
        <div key={look} data-group>
          <Button look={look}>{texts.save}</Button>
          <Button look={look} isBusy>
            {texts.save}
          </Button>
          <Button look={look} isOff>
            {texts.save}
          </Button>
          <a href="/dev/kit" className={buttonClass(look)}>
            {texts.open}
          </a>
        </div>
      ))}
      <div data-group>
        <IconButton label={texts.open}>
          <IconPlayerPlay size={18} aria-hidden />
        </IconButton>
        <IconButton label={texts.open} aria-disabled>
          <IconPlayerPlay size={18} aria-hidden />
        </IconButton>
        <CopyIcon text={texts.key} words={words} />
        <CopyButton text={texts.key} words={words} />
        <CopyButton text={texts.key} words={words} look="quiet" />
        <Menu target={<IconPlayerPlay size={18} aria-hidden />} targetClassName={iconButtonClass} label={texts.more}>
          <button type="button" className={menuItemClass}>
            {texts.open}
          </button>
          <button type="button" className={menuItemClass} aria-pressed>
            {texts.save}
          </button>
          <a href="/dev/kit" className={menuItemClass} aria-current="page">
            {texts.remove}
          </a>
        </Menu>
      </div>
    </>
  )
}

export function Choices({ texts, theme }: ExhibitProps) {
  const [choice, setChoice] = useState('first')
  const choices = ['first', 'second'].map((value) => ({
    value,
    title: value === 'first' ? texts.first : texts.second,
    text: texts.whole,
  }))
  return (
    <>
      <div data-group>
        {[false, true].map((disabled) => (
          <div key={String(disabled)} data-group>
            <label>
              <Checkbox disabled={disabled} defaultChecked={false} /> {texts.on}
            </label>
            <label>
              <Checkbox disabled={disabled} defaultChecked /> {texts.on}
            </label>
            <label>
              <Checkbox disabled={disabled} isMixed /> {texts.on}
            </label>
            <label>
              <Radio name={`${theme}-${disabled}`} disabled={disabled} /> {texts.first}
            </label>
            <label>
              <Radio name={`${theme}-${disabled}`} disabled={disabled} defaultChecked /> {texts.second}
            </label>
          </div>
        ))}
      </div>
      {[false, true].map((isOn) => (
        <div key={String(isOn)} data-group>
          <Switch label={texts.on} isOn={isOn} onChange={() => {}} />
          <Switch label={texts.busy} isOn={isOn} isBusy onChange={() => {}} />
          <Switch label={texts.on} isOn={isOn} off={texts.off} onChange={() => {}} />
          <Switch label={texts.on} isLabelHidden isOn={isOn} off={texts.off} onChange={() => {}} />
        </div>
      ))}
      <ChoiceList label={texts.choose} value={choice} choices={choices} onChange={setChoice} />
      <ChoiceList label={texts.choose} value={choice} choices={choices} error={texts.wrong} onChange={setChoice} />
    </>
  )
}

export function Fields({ texts }: ExhibitProps) {
  const [text, setText] = useState(texts.row)
  const words = { show: texts.show, copy: { idle: texts.copy, copied: texts.copied, refused: texts.refused } }
  return (
    <>
      <TextField label={texts.name} value={text} onChange={setText} />
      <TextField label={texts.name} placeholder={texts.long} hint={texts.hint} value="" onChange={setText} />
      <TextField label={texts.name} limit={20} error={texts.wrong} value={texts.long} onChange={setText} />
      <TextField label={texts.name} limit={80} hint={texts.hint} value={texts.long} onChange={setText} />
      <TextField label={texts.name} value={text} disabled onChange={setText} />
      <TextField label={texts.name} isLabelHidden value={text} readOnly onChange={setText} />
      <SecretField label={texts.key} value="rtmp-1a2b3c" words={words} />
      <SecretField label={texts.key} value="rtmp-1a2b3c" words={{ show: texts.show }} error={texts.wrong} />
      <Field label={texts.open} hint={texts.hint}>
        {(control) => <input {...control} type="password" defaultValue={text} />}
      </Field>
      <TextArea label={texts.about} hint={texts.hint} limit={20} value={texts.long} onChange={setText} />
    </>
  )
}

export function Selects({ texts }: ExhibitProps) {
  const [search, setSearch] = useState('')
  const choices = [
    { value: '', label: texts.filter },
    { value: 'first', label: texts.first },
    { value: 'second', label: texts.second },
  ]
  const select = { label: texts.choose, choices, onChange: () => {} }
  const combo = {
    label: texts.choose,
    choices: choices.slice(1),
    nothing: texts.nothing,
    clearLabel: texts.clear,
    onChange: () => {},
  }
  return (
    <>
      <SelectField {...select} value="first" hint={texts.hint} />
      <SelectField {...select} value="first" error={texts.wrong} />
      <SelectField {...select} value="first" disabled />
      <ComboField {...combo} value="first" hint={texts.hint} />
      <ComboField {...combo} value={null} error={texts.wrong} />
      <Toolbar label={texts.search}>
        <SearchField label={texts.search} value={search} onChange={setSearch} />
        <FilterField {...select} value="" />
        <FilterField {...select} value="second" />
        <Button look="outline">{texts.open}</Button>
      </Toolbar>
    </>
  )
}
