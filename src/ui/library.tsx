import 'virtual:theme.css'
import '#src/styles/mantine.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'

const colours = localStorageColorSchemeManager({ key: 'relaydeck.theme' })

/**
 * Room for what browsers have no element for, such as a list that is searched. Around the one part that needs it and not
 * around the whole dashboard: the first view does without, and is a quarter lighter for it. Its variables come from the build
 * (vite.config.ts), because the page's policy lets nothing write styles at run time.
 */
export function Library({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colours}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
