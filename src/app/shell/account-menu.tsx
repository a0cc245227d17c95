import { IconBook2, IconHelpCircle, IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAfterPage } from '#src/api/after-page.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import { useHasUnsaved } from '#src/stores/unsaved.ts'
import { iconButtonClass } from '#src/ui/button.tsx'
import { Menu, menuItemClass } from '#src/ui/menu.tsx'
import styles from './account-menu.module.css'
import type { Me } from './who-am-i.tsx'

const WhoAmI = lazyPart(() => import('./who-am-i.tsx'))

/** Who is signed in, and the way out. A server that does not tell who shows no name. */
export function AccountMenu() {
  const { t } = useTranslation()
  const signOut = useAuth((state) => state.signOut)
  // At once when something is typed: whoever signs in again later gets it back only if it is known whose it was.
  const isAsked = [useAfterPage(), useHasUnsaved()].some(Boolean)
  const [me, setMe] = useState<Me>()
  const name = [me?.firstName, me?.lastName].filter(Boolean).join(' ') || me?.email
  const target = me?.photo ? (
    <img src={me.photo} alt="" width={28} height={28} className={styles.photo} />
  ) : (
    <IconUserCircle size={24} stroke={1.6} aria-hidden />
  )
  return (
    <>
      {isAsked && (
        <Suspense>
          <WhoAmI onAnswer={setMe} />
        </Suspense>
      )}
      <Menu target={target} targetClassName={iconButtonClass} label={t('account.menu')}>
        {name && <p className={styles.name}>{name}</p>}
        <Link to={paths.account()} className={menuItemClass}>
          <IconUser size={18} stroke={1.7} aria-hidden />
          {t('account.profile')}
        </Link>
        <Link to={paths.help()} className={menuItemClass}>
          <IconHelpCircle size={18} stroke={1.7} aria-hidden />
          {t('nav.help')}
        </Link>
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
    </>
  )
}
