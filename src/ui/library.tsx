import 'virtual:theme.css'
import '#src/styles/mantine.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'

const colours = localStorageColorSchemeManager({ key: 'relaydeck.theme' })

/**
 * Room for the component library's inputs, tables and pickers. Around the parts of pages that use them and not around
 * the whole dashboard: the first view does without, and is a quarter lighter for it. Its variables come from the build
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
