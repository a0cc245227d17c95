import { useTranslation } from 'react-i18next'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage, intlTag } from '#src/lib/i18n.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { iconButtonClass } from '#src/ui/button.tsx'
import { Menu, menuItemClass } from '#src/ui/menu.tsx'

const short = { en: 'EN', ru: 'RU', cn: '中' }

/** Switches the language immediately. */
export function LanguageMenu() {
  const { t } = useTranslation()
  const current = useLanguage()
  const { colon, comma } = usePunctuation()
  return (
    <Menu
      target={short[current]}
      targetClassName={iconButtonClass}
      label={`${short[current]}${colon}${t('shell.language')}${comma}${t(`language.${current}`)}`}
    >
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={intlTag[language]}
          className={menuItemClass}
          aria-pressed={language === current}
          onClick={() => void changeLanguage(language)}
        >
          {t(`language.${language}`)}
        </button>
      ))}
    </Menu>
  )
}
