import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChannelFilter } from '#contract/areas/channels/channels.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import { nameMax, type View } from '#src/areas/channels/view.ts'

interface Props {
  readonly view: View
  /** Platforms of the project's channels. */
  readonly platforms: readonly { readonly type: PlatformType; readonly title: string }[]
  readonly onChange: (change: Partial<View>) => void
}

/** Debounce before a search request, milliseconds. */
const restMs = 250

/** Search and filters of the list. */
export function ListTools({ view, platforms, onChange }: Props) {
  const { t } = useTranslation('channels')
  const [text, setText] = useState(view.name)
  // The URL may change without typing: Back, or a cleared filter.
  const [seen, setSeen] = useState(view.name)
  if (seen !== view.name) {
    setSeen(view.name)
    setText(view.name)
  }
  // Reads the latest filters, which may change during the debounce.
  const search = useEffectEvent(() => onChange({ name: text }))
  useEffect(() => {
    if (text === view.name) return undefined
    const timer = setTimeout(() => search(), restMs)
    return () => clearTimeout(timer)
  }, [text, view.name])

  return (
    <Toolbar label={t('tools.label')}>
      <SearchField
        label={t('tools.search')}
        title={t('tools.searchRule', { count: nameMax })}
        value={text}
        maxLength={nameMax}
        onChange={setText}
      />
      <FilterField
        label={t('tools.platform')}
        value={view.platform}
        choices={[
          { value: '', label: t('tools.anyPlatform') },
          ...platforms.map(({ type, title }) => ({ value: type, label: title })),
        ]}
        onChange={(platform) => onChange({ platform })}
      />
      <FilterField
        label={t('tools.which')}
        value={view.which === 'all' ? '' : view.which}
        choices={ChannelFilter.options.map((which) => ({
          value: which === 'all' ? '' : which,
          label: t(`which.${which}`),
        }))}
        onChange={(value) => onChange({ which: value === '' ? 'all' : ChannelFilter.parse(value) })}
      />
    </Toolbar>
  )
}
