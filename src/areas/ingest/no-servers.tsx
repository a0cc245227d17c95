import { IconServerOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { NoServers as Reason } from '#contract/entities/ingest.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'

interface Props {
  readonly reason?: Reason | null | undefined
  /** Ports of the relay, at `port_taken`. */
  readonly ports?: readonly number[] | undefined
}

/** Empty state without servers: the reason and the next step. */
export function NoServers({ reason, ports = [] }: Props) {
  const { t } = useTranslation('ingest')
  const why = reason ?? 'none_reported'
  return (
    <EmptyState icon={<IconServerOff size={28} />} title={t(`noServers.${why}.title`, { ports: ports.join(', ') })}>
      <p>{t(`noServers.${why}.text`)}</p>
    </EmptyState>
  )
}
