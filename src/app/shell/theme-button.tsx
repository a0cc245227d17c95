import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Switches between dark and light. Until it is pressed, the system decides. */
export function ThemeButton() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const current = useComputedColorScheme('light')
  const next = current === 'dark' ? 'light' : 'dark'
  const Icon = next === 'dark' ? IconMoon : IconSun
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t(`theme.${next}`)} onClick={() => setColorScheme(next)}>
      <Icon size={19} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
