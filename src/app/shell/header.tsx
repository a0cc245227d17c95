import {
  IconBell,
  IconBook2,
  IconBuildingStore,
  IconHelpCircle,
  IconLogout,
  IconMoon,
  IconPlugConnectedX,
  IconSearch,
  IconSun,
  IconUser,
  IconUserCircle,
} from '@tabler/icons-react'
import { lazy, memo, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { buttonClass, IconButton, iconButtonClass } from '#src/ui/button.tsx'
import styles from './header.module.css'
import { Logo } from '#src/ui/logo.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { useStore } from 'zustand'
import { chooseTheme, themeStore } from '#src/stores/theme.ts'
import { useSettled } from '#src/api/settled.ts'
import { useAbsentPages } from '#src/stores/absent.ts'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage, intlTag } from '#src/lib/i18n.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Menu, menuItemClass } from '#src/ui/menu.tsx'
import { useQuery } from '@tanstack/react-query'
import { auth } from '#contract/areas/account/auth.ts'
import { q } from '#src/api/query.ts'
import { useAuth } from '#src/stores/session.ts'
import { TimeOnAir } from '#src/areas/broadcasts/time-on-air.tsx'
import { isLastKnown, useStatus } from '#src/components/use-status.ts'
import { type Air, setAir } from '#src/stores/air.ts'
import { airOf } from './air-of.ts'
import { useRealtimeStatus } from '#src/realtime/store.ts'

const everyMs = 10_000

/** On-air state of the project with duration and health; nothing while unknown. */
function OnAirPill({ projectId }: { readonly projectId: number | string }) {
  const status = useStatus(Number(projectId), everyMs)
  const { data } = status
  const air = data && !isLastKnown(status) ? airOf(data) : null
  useEffect(() => {
    setAir(air)
    return () => setAir(null)
  }, [air])
  if (!data || air === null) return null
  return (
    <Pill
      to={paths.home(projectId)}
      air={air}
      since={data.kind !== 'inactive' && data.status !== 'lost' ? data.date_start : null}
      away={data.kind === 'inactive' ? undefined : data.away}
    />
  )
}

interface PillProps {
  readonly to: string
  readonly air: Air
  /** Start of the broadcast; null while off air and while the encoder is disconnected. */
  readonly since: string | null
  /** Seconds without an encoder since then. */
  readonly away: number | undefined
}

/** The status arrives each second; the values selected here seldom change. */
const Pill = memo(function Pill({ to, air, since, away }: PillProps) {
  const { t } = useTranslation()
  return (
    <Link to={to} className={styles.pill} data-state={air}>
      <span className={styles.dot} aria-hidden />
      {t(`onAir.${air}`)}
      {since !== null && (
        <span className={styles.time}>
          <TimeOnAir from={since} to={null} away={away} />
        </span>
      )}
    </Link>
  )
})

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
  /** The project demands a second factor that the user lacks: only the choice of the project remains of it. */
  readonly isLocked: boolean
}

/** Header: project, on-air state and account. */
export const Header = memo(function Header({ projectId, isSignedIn, isLocked }: Props) {
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
      {isSignedIn && projectId !== null && !isLocked && (
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
        <AccountMenu hasNavigation={projectId !== null && !isLocked} />
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

/** Account menu: name of the signed-in user, profile and sign-out; without navigation also its pages of all projects. No name where the server does not serve it. */
function AccountMenu({ hasNavigation }: { readonly hasNavigation: boolean }) {
  const { t } = useTranslation()
  const signOut = useAuth((state) => state.signOut)
  const { data: me } = useQuery({ ...q(auth.me, {}), staleTime: 300_000, retry: false })
  const name = [me?.firstName, me?.lastName].filter(Boolean).join(' ') || me?.email
  const target = me?.photo ? (
    <img src={me.photo} alt="" width={28} height={28} className={styles.photo} />
  ) : (
    <IconUserCircle size={24} stroke={1.6} aria-hidden />
  )
  return (
    <Menu target={target} targetClassName={iconButtonClass} label={t('account.menu')}>
      {name && <p className={styles.accountMenuName}>{name}</p>}
      <Link to={paths.account()} className={menuItemClass}>
        <IconUser size={18} stroke={1.7} aria-hidden />
        {t('account.profile')}
      </Link>
      {!hasNavigation && me?.operator === true && (
        <Link to={paths.operator()} className={menuItemClass}>
          <IconBuildingStore size={18} stroke={1.7} aria-hidden />
          {t('nav.operator')}
        </Link>
      )}
      {!hasNavigation && (
        <Link to={paths.help()} className={menuItemClass}>
          <IconHelpCircle size={18} stroke={1.7} aria-hidden />
          {t('nav.help')}
        </Link>
      )}
      <Link to={paths.reference()} className={menuItemClass}>
        <IconBook2 size={18} stroke={1.7} aria-hidden />
        {t('nav.reference')}
      </Link>
      <hr className={styles.line} />
      <button type="button" className={menuItemClass} onClick={() => void signOut()}>
        <IconLogout size={18} stroke={1.7} aria-hidden />
        {t('account.signOut')}
      </button>
    </Menu>
  )
}

/** Small notice that the realtime connection is down and the page polls every few seconds. */
function RealtimeMark() {
  const { t } = useTranslation()
  if (useRealtimeStatus() !== 'away') return null
  return (
    <span className={styles.mark} role="status" title={t('realtime.away')}>
      <IconPlugConnectedX size={17} stroke={1.8} aria-hidden />
      <span className="visually-hidden">{t('realtime.away')}</span>
    </span>
  )
}
