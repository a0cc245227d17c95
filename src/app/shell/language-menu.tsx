import { Button, Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { languages } from '#contract/core/wire.ts'
import { changeLanguage, intlTag } from '#src/lib/i18n.ts'
import { useLanguage } from '#src/lib/use-language.ts'

const names = { en: 'English', ru: 'Русский', cn: '简体中文' }
const short = { en: 'EN', ru: 'RU', cn: '中' }

/** Switches the language, at once. */
export function LanguageMenu() {
  const { t } = useTranslation()
  const current = useLanguage()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-md" aria-label={`${t('shell.language')}: ${names[current]}`}>
          {short[current]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={intlTag[language]}
            role="menuitemradio"
            aria-checked={language === current}
            onClick={() => void changeLanguage(language)}
          >
            {names[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
