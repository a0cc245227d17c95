import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage, intlTag } from '#src/lib/i18n.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Logo } from '#src/ui/logo.tsx'
import { useDocumentTitle } from '#src/lib/use-document-title.ts'
import styles from './entrance.module.css'

const names = { en: 'English', ru: 'Русский', cn: '简体中文' }

/** Layout of the pages before sign-in: the logo, a heading, one column. */
export function Entrance({
  title,
  intro,
  children,
}: {
  title: string
  intro?: string | undefined
  children: ReactNode
}) {
  const { t } = useTranslation()
  const current = useLanguage()
  useDocumentTitle()
  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <div className={styles.brand}>
          <Logo size={36} />
          <span>Relaydeck</span>
        </div>
        <h1 className={styles.title}>{title}</h1>
        {intro && <p className={styles.intro}>{intro}</p>}
        {children}
      </main>
      <nav className={styles.languages} aria-label={t('shell.language')}>
        {languages.map((language) => (
          <button
            type="button"
            key={language}
            lang={intlTag[language]}
            aria-current={language === current || undefined}
            onClick={() => void changeLanguage(language)}
          >
            {names[language]}
          </button>
        ))}
      </nav>
    </div>
  )
}
