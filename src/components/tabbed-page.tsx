import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { Page } from '#src/ui/page.tsx'
import { TabLinks } from './tab-links.tsx'

interface Props {
  readonly title: string
  /** One sentence under the title. */
  readonly intro: string
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly tabs: readonly { readonly to: string; readonly text: string }[]
}

/** Page whose tabs are routes below its own. */
export function TabbedPage({ title, intro, actions, tabs }: Props) {
  return (
    <Page title={title} intro={intro} actions={actions}>
      <TabLinks label={title} tabs={tabs} />
      <Outlet />
    </Page>
  )
}
