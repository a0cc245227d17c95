import { useTranslation } from 'react-i18next'
import { languages } from '#contract/core/wire.ts'
import { changeLanguage, intlTag } from '#src/lib/i18n.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './account.module.css'

/** The language of the pages and of the server's sentences; switches at once. */
export function LanguageChoice() {
  const { t } = useTranslation(['account', 'common'])
  const current = useLanguage()
  return (
    <fieldset className={styles.card}>
      <legend className={styles.legend}>{t('language.title')}</legend>
      <div className={styles.languages}>
        {languages.map((language) => (
          <label key={language} className={styles.language} lang={intlTag[language]}>
            <input
              type="radio"
              name="language"
              checked={language === current}
              onChange={() => void changeLanguage(language)}
            />
            {t(`common:language.${language}`)}
          </label>
        ))}
      </div>
      <p className={styles.note}>{t('language.note')}</p>
    </fieldset>
  )
}
