import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { profile } from '#contract/areas/account/profile.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { LanguageChoice } from './language-choice.tsx'
import styles from './account.module.css'
import { ProfileForm } from './profile-form.tsx'

/** Profile and language of the user. */
export function ProfilePart() {
  const { t } = useTranslation('account')
  const query = useQuery(q(profile.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('profile.failed')} skeleton={<Skeleton height={318} />}>
        {(data) => <ProfileForm profile={data} />}
      </QueryPart>
      <LanguageChoice />
    </div>
  )
}
