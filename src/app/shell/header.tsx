import { IconBell, IconMoon, IconSearch, IconSun } from '@tabler/icons-react'
import { lazy, memo, type ReactNode, Suspense, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { buttonClass, IconButton, iconButtonClass } from '#src/ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import styles from './header.module.css'
import { Logo } from '#src/ui/logo.tsx'
import { OnAirPill } from './on-air-pill.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { RealtimeMark } from './realtime-mark.tsx'
import { useStore } from 'zustand'
import { chooseTheme, themeStore } from '#src/stores/theme.ts'
import { useSettled } from '#src/api/settled.ts'
import { useAbsentPages } from '#src/stores/absent.ts'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage, intlTag } from '#src/lib/i18n.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Menu, menuItemClass } from '#src/ui/menu.tsx'

const short = { en: 'EN', ru: 'RU', cn: '中' }

/** Switches the language immediately. */
function LanguageMenu() {
  const { t } = useTranslation()
  const current = useLanguage()
  const { colon, comma } = usePunctuation()
  return (
    <Menu
      target={short[current]}
      targetClassName={iconButtonClass}
      label={`${short[current]}${colon}${t('shell.language')}${comma}${t(`language.${current}`)}`}
    >
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={intlTag[language]}
          className={menuItemClass}
          aria-pressed={language === current}
          onClick={() => void changeLanguage(language)}
        >
          {t(`language.${language}`)}
        </button>
      ))}
    </Menu>
  )
}

const Palette = lazy(() => import('./palette.tsx'))

/** Opens the command palette, also by Ctrl K or ⌘ K. Its code loads with the first opening. */
function PaletteButton({ projectId, children }: { projectId: number | string; children: ReactNode }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)

  // Listens from the moment that the button is visible.
  useLayoutEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])

  return (
    <>
      <IconButton label={t('palette.open')} aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        {children}
      </IconButton>
      {isOpen && (
        <Suspense>
          <Palette projectId={projectId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const Bell = lazy(() => import('./bell.tsx'))

/** Bell of the header: a link until the first view is complete, then the count and the panel of notifications. */
function BellButton({ projectId }: { readonly projectId: number | string }) {
  const { t } = useTranslation()
  const isSettled = useSettled()
  const isAbsent = useAbsentPages().has('notifications')
  const label = t('nav.notifications')
  const link = (
    <Link to={paths.notifications(projectId)} className={iconButtonClass} title={label} aria-label={label}>
      <IconBell size={19} stroke={1.7} aria-hidden />
    </Link>
  )
  if (isAbsent) return null
  return isSettled ? (
    <Suspense fallback={link}>
      <Bell projectId={projectId} />
    </Suspense>
  ) : (
    link
  )
}

interface Props {
  readonly projectId: number | string | null
  readonly isSignedIn: boolean
}

/** Header: project, on-air state and account. */
export const Header = memo(function Header({ projectId, isSignedIn }: Props) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  return (
    <header className={styles.header} data-full={(isSignedIn && projectId !== null) || undefined}>
      <Link
        to={projectId === null ? paths.root() : paths.home(projectId)}
        className={styles.brand}
        aria-label="Relaydeck"
      >
        <Logo />
        <span className={styles.name}>Relaydeck</span>
      </Link>
      {isSignedIn && projectId !== null && <ProjectSwitcher projectId={projectId} />}
      <div className={styles.space} />
      {isSignedIn && projectId !== null && (
        <>
          <RealtimeMark />
          <OnAirPill projectId={projectId} />
          <PaletteButton projectId={projectId}>
            <IconSearch size={17} stroke={1.8} aria-hidden />
          </PaletteButton>
          <BellButton projectId={projectId} />
        </>
      )}
      <span className={styles.language}>
        <LanguageMenu />
      </span>
      <span className={styles.theme}>
        <ThemeButton />
      </span>
      {isSignedIn ? (
        <AccountMenu />
      ) : (
        <Link to={paths.signIn(pathname + search)} className={buttonClass()}>
          {t('account.signIn')}
        </Link>
      )}
    </header>
  )
})

/** Switches between dark and light. Until the first press the system's choice applies. */
function ThemeButton() {
  const { t } = useTranslation()
  const shown = useStore(themeStore, (theme) => theme.shown)
  const next = shown === 'dark' ? 'light' : 'dark'
  const Icon = next === 'dark' ? IconMoon : IconSun
  return (
    <IconButton label={t(`theme.${next}`)} onClick={() => chooseTheme(next)}>
      <Icon size={19} stroke={1.7} aria-hidden />
    </IconButton>
  )
}
