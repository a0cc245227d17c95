import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Platform } from '#contract/entities/channel.ts'
import { isEnter } from '#src/lib/keys.ts'
import { SearchField } from '#src/ui/toolbar.tsx'
import styles from './add.module.css'
import { PlatformIcon } from '#src/components/platform-icon.tsx'

const to = ({ type }: Platform) => `?platform=${type}`

/** Searchable platform list: Enter selects the first match, arrow keys move through the list. */
export function PlatformPicker({ platforms }: { readonly platforms: readonly Platform[] }) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  // Of the navigation that began the adding.
  const { state } = useLocation()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = platforms.filter(({ title, type }) => `${title} ${type}`.toLowerCase().includes(wanted))
  const first = found[0]
  const shown = first ? found : platforms.filter(({ type }) => type === 'custom')

  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    const isInSearch = event.target instanceof HTMLInputElement
    if (!step || (isInSearch && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const places = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')]
    places[places.indexOf(event.target as HTMLElement) + step]?.focus()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its children have the roles
    <div className={styles.picker} onKeyDown={handleKey}>
      <SearchField
        label={t('pick.search')}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has a single purpose: selecting a platform
        autoFocus
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (isEnter(event) && wanted !== '' && first) void navigate(to(first), { state })
        }}
      />
      <output className={first ? 'visually-hidden' : styles.none}>
        {first ? t('pick.found', { count: found.length }) : t('pick.none')}
      </output>
      <ul className={styles.grid} aria-label={t('pick.label')}>
        {shown.map((platform) => (
          <li key={platform.type}>
            <Link
              to={to(platform)}
              state={state}
              className={styles.tile}
              data-first={(wanted !== '' && platform === first) || undefined}
            >
              <PlatformIcon type={platform.type} />
              <span className={styles.tileWords}>
                <span className={styles.tileTitle}>{platform.title}</span>
                <span className={styles.tileNote}>{t(`pick.${noteOf(platform)}`)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Requirement to add a channel of a platform. */
function noteOf({ type, oauth_ready, ingests }: Platform): 'account' | 'any' | 'key' | 'addressAndKey' {
  if (type === 'custom') return 'any'
  if (oauth_ready === 1) return 'account'
  return ingests.length > 0 ? 'key' : 'addressAndKey'
}
