import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { chooseTheme, themeStore } from '#src/stores/theme.ts'
import { IconButton } from '#src/ui/button.tsx'

/** Switches between dark and light. Until the first press the system's choice applies. */
export function ThemeButton() {
  const { t } = useTranslation()
  const shown = useStore(themeStore, (theme) => theme.shown)
  const next = shown === 'dark' ? 'light' : 'dark'
  const Icon = next === 'dark' ? IconMoon : IconSun
  return (
    <IconButton label={t(`theme.${next}`)} onClick={() => chooseTheme(next)}>
      <Icon size={19} stroke={1.7} aria-hidden />
    </IconButton>
  )
}
