import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { auth } from '#contract/areas/account/auth.ts'
import { socials } from '#contract/areas/account/socials.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'
import { EmailForm } from './email-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Socials } from './socials.tsx'

/** Sign-in methods of the user: e-mail, password, social accounts. */
export function SignInPart() {
  const { t } = useTranslation('account')
  const me = useQuery(q(auth.me, {}))
  const list = useQuery(q(socials.list, {}))
  return (
    <QueryPart query={list} failed={t('socials.failed')} skeleton={<Skeleton height={420} />}>
      {(data) => (
        <div className={styles.stack}>
          <Socials list={data} />
          <div className={styles.halves}>
            <PasswordForm hasPassword={data.password} />
            {me.data && <EmailForm email={me.data.email ?? ''} hasPassword={data.password} />}
          </div>
        </div>
      )}
    </QueryPart>
  )
}
