import { ActionIcon, Menu } from '@mantine/core'
import { IconBook2, IconHelpCircle, IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { auth } from '#contract/areas/account/auth.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import styles from './account-menu.module.css'

/** Who is signed in, and the way out. A server that does not tell who shows no name. */
export function AccountMenu() {
  const { t } = useTranslation()
  const signOut = useAuth((state) => state.signOut)
  const { data: me } = useQuery({ ...q(auth.me, {}), staleTime: 300_000, retry: false })
  const name = [me?.firstName, me?.lastName].filter(Boolean).join(' ') || me?.email
  return (
    <Menu position="bottom-end" width={230} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl" aria-label={t('account.menu')}>
          {me?.photo ? (
            <img src={me.photo} alt="" width={28} height={28} className={styles.photo} />
          ) : (
            <IconUserCircle size={24} stroke={1.6} aria-hidden />
          )}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {name && <Menu.Label className={styles.name}>{name}</Menu.Label>}
        <Menu.Item component={Link} to={paths.account()} leftSection={<IconUser size={17} aria-hidden />}>
          {t('account.profile')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.help()} leftSection={<IconHelpCircle size={17} aria-hidden />}>
          {t('nav.help')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.reference()} leftSection={<IconBook2 size={17} aria-hidden />}>
          {t('nav.reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={17} aria-hidden />} onClick={() => void signOut()}>
          {t('account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
