import { IconBook2, IconBuildingStore, IconHelpCircle, IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { auth } from '#contract/areas/account/auth.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import { iconButtonClass } from '#src/ui/button.tsx'
import { Menu, menuItemClass } from '#src/ui/menu.tsx'
import styles from './account-menu.module.css'

/** Account menu: name of the signed-in user, help and sign-out. No name where the server does not serve it. */
export function AccountMenu() {
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
      {name && <p className={styles.name}>{name}</p>}
      <Link to={paths.account()} className={menuItemClass}>
        <IconUser size={18} stroke={1.7} aria-hidden />
        {t('account.profile')}
      </Link>
      {me?.operator === true && (
        <Link to={paths.operator()} className={menuItemClass}>
          <IconBuildingStore size={18} stroke={1.7} aria-hidden />
          {t('account.operator')}
        </Link>
      )}
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
  )
}
