import { useTranslation } from 'react-i18next'
import { NotServed } from '#src/components/not-served.tsx'
import type { tabs } from './tabs.ts'

/** A tab whose operations are not served yet. */
export function WaitingPart({ tab: { key, groups = [] } }: { readonly tab: (typeof tabs)[number] }) {
  const { t } = useTranslation('billing')
  return <NotServed title={t(`tab.${key}`)} text={t(`waiting.${key}`)} groups={groups} />
}
