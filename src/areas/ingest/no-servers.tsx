import { IconServerOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { NoServers as Reason } from '#contract/entities/ingest.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'

/** Empty state without servers: the reason and the next step. */
export function NoServers({ reason }: { readonly reason: Reason | null | undefined }) {
  const { t } = useTranslation('ingest')
  const why = reason ?? 'none_reported'
  return (
    <EmptyState icon={<IconServerOff size={28} />} title={t(`noServers.${why}.title`)}>
      <p>{t(`noServers.${why}.text`)}</p>
    </EmptyState>
  )
}
