import { IconServerOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import type { NoServers as Reason } from '#contract/entities/ingest.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Note } from '#src/ui/note.tsx'
import { useInstallation } from './use-installation.ts'

interface Props {
  readonly reason?: Reason | null | undefined
  /** Ports of the relay, at `port_taken`. */
  readonly ports?: readonly number[] | undefined
}

/** Empty state without servers: the cause, and the remedy that the log of the service names. */
export function NoServers({ reason, ports = [] }: Props) {
  const { t } = useTranslation('servers')
  const why = reason ?? 'none_reported'
  const remedy = useRemedy()
  return (
    <EmptyState icon={<IconServerOff size={28} />} title={t(`${why}.title`, { ports: ports.join(', ') })}>
      <p>{remedy(why)}</p>
    </EmptyState>
  )
}

interface ServerNoteProps extends Props {
  /** The best server; undefined where none is online. */
  readonly server: Pick<IngestServer, 'city' | 'silent' | 'full' | 'ffmpeg'> | undefined
  /** Names a missing ffmpeg to operators only: without it streams go out. */
  readonly isForOperator?: boolean
}

/** Note about a server that takes no streams, or takes them without ffmpeg; nothing otherwise. */
export function ServerNote({ server, reason, ports = [], isForOperator = false }: ServerNoteProps) {
  const { t } = useTranslation('servers')
  const { stop } = usePunctuation()
  const remedy = useRemedy()
  const { isOperator } = useInstallation()
  const why = troubleOf({ server, reason })
  if (!why || (why === 'no_ffmpeg' && isForOperator && !isOperator)) return null
  const cause = t(`${why}.title`, { ports: ports.join(', '), name: server?.city ?? '' })
  return <Note tone={why === 'no_ffmpeg' ? 'neutral' : 'warn'}>{cause + stop + remedy(why)}</Note>
}

/** Returns what keeps a server from taking streams, a key of the texts. */
function troubleOf({ server, reason }: Pick<ServerNoteProps, 'server' | 'reason'>) {
  if (!server) return reason ?? 'none_reported'
  if (server.silent) return 'silent'
  if (server.full) return 'full'
  return server.ffmpeg === false ? 'no_ffmpeg' : null
}

/** Returns a function that gives the remedy: operators repair the server, others ask them. */
function useRemedy() {
  const { t } = useTranslation('servers')
  const { isOperator } = useInstallation()
  return (why: string): string => t(`${why}.${isOperator ? 'remedy' : 'text'}`)
}
