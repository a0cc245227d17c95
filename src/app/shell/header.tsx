import { IconSearch } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BellButton } from './bell-button.tsx'
import styles from './header.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { Logo } from '#src/ui/logo.tsx'
import { OnAirPill } from './on-air-pill.tsx'
import { PaletteButton } from './palette-button.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { RealtimeMark } from './realtime-mark.tsx'
import { ThemeButton } from './theme-button.tsx'

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
