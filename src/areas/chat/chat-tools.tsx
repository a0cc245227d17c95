import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { Button } from '#src/ui/button.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import styles from './chat.module.css'
import { onlyFilters, type View } from './chat-view.ts'

interface Props {
  readonly rows: readonly ChatCapability[]
  readonly view: View
  readonly titleOf: (platform: string) => string
  readonly onChange: (change: Partial<View>) => void
}

const searchAfterMs = 300

/** Filters of the list: search, platform, kind, hidden messages. The key / focuses the search. */
export function ChatTools({ rows, view, titleOf, onChange }: Props) {
  const { t } = useTranslation('chat', { keyPrefix: 'tools' })
  const [text, setText] = useState(view.q)
  // On phones the filters have no room beside the list.
  const [isOpen, setOpen] = useState(view.platform !== '' || view.only !== '' || view.hidden !== '')
  useEffect(() => {
    if (text === view.q) return undefined
    const timer = setTimeout(() => onChange({ q: text }), searchAfterMs)
    return () => clearTimeout(timer)
  }, [text, view.q, onChange])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      document.querySelector<HTMLInputElement>('[data-chat-search]')?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  const platforms = [...new Set([...rows.map(({ platform }) => platform), ...[view.platform].filter(Boolean)])]
  return (
    <Toolbar label={t('title')}>
      <SearchField
        label={t('search')}
        value={text}
        maxLength={100}
        onChange={setText}
        data-chat-search
        aria-keyshortcuts="/"
      />
      <Button
        look="outline"
        className={styles.filtersButton ?? ''}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('filters')}
      </Button>
      <div className={styles.filters} data-open={isOpen || undefined}>
        <FilterField
          label={t('platform')}
          value={view.platform}
          choices={[
            { value: '', label: t('anyPlatform') },
            ...platforms.map((value) => ({ value, label: titleOf(value) })),
          ]}
          onChange={(platform) => onChange({ platform })}
        />
        <FilterField
          label={t('only')}
          value={view.only}
          choices={[{ value: '', label: t('all') }, ...onlyFilters.map((value) => ({ value, label: t(value) }))]}
          onChange={(only) => onChange({ only })}
        />
        <FilterField
          label={t('hidden')}
          value={view.hidden}
          choices={[
            { value: '', label: t('hiddenNo') },
            { value: 'yes', label: t('hiddenYes') },
          ]}
          onChange={(hidden) => onChange({ hidden })}
        />
      </div>
    </Toolbar>
  )
}
