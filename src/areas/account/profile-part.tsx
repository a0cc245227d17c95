import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { profile } from '#contract/areas/account/profile.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Radio } from '#src/ui/checkbox.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'
import { ProfileForm } from './profile-form.tsx'
import { startTransition, useOptimistic } from 'react'
import { settings } from '#contract/areas/account/settings.ts'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import { changeLanguage, intlTag } from '#src/lib/i18n.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'

/** Profile and language of the user. */
export function ProfilePart() {
  const { t } = useTranslation('account')
  const query = useQuery(q(profile.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('profile.failed')} skeleton={<Skeleton height="var(--profile-height)" />}>
        {(data) => <ProfileForm profile={data} />}
      </QueryPart>
      <LanguageChoice />
    </div>
  )
}

/** Language of the pages and of service messages; applies immediately. */
function LanguageChoice() {
  const { t } = useTranslation(['account', 'common'])
  // Shows the new choice while its texts load.
  const [current, setCurrent] = useOptimistic(useLanguage())
  const save = useWrite(settings.language)
  const handleChoice = (language: Language) =>
    startTransition(async () => {
      setCurrent(language)
      await changeLanguage(language)
      // Runs in the background: the saved language is for e-mails and other browsers.
      save.mutate({})
    })
  return (
    <Card title={t('language.title')}>
      <div role="radiogroup" aria-label={t('language.title')} className={styles.languages}>
        {languages.map((language) => (
          <label key={language} className={styles.language} lang={intlTag[language]}>
            <Radio name="language" checked={language === current} onChange={() => handleChoice(language)} />
            {t(`common:language.${language}`)}
          </label>
        ))}
      </div>
      <p className={styles.note}>{t('language.note')}</p>
    </Card>
  )
}
