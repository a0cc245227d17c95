import { useTranslation } from 'react-i18next'
import { NotServed } from '#src/components/not-served.tsx'

/** Where the person is signed in. */
export function SessionsPart() {
  const { t } = useTranslation('account')
  return <NotServed title={t('sessions.title')} text={t('sessions.text')} groups={[]} />
}

/** Accounts elsewhere that the person can sign in with. */
export function SocialsPart() {
  const { t } = useTranslation('account')
  return <NotServed title={t('socials.title')} text={t('socials.text')} groups={['account.socials']} />
}
