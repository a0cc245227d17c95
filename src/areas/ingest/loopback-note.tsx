import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/note.tsx'
import { loopbackHostOf } from './addresses.ts'

interface Props {
  readonly address: string
  /** Set for an address meant for a phone, which never runs the relay itself. */
  readonly isForPhone?: boolean
}

/** Warns that a loopback address works only on the machine that runs the relay. */
export function LoopbackNote({ address, isForPhone = false }: Props) {
  const { t } = useTranslation('ingest')
  const host = loopbackHostOf(address)
  if (host === null) return null
  const isHere = loopbackHostOf(window.location.href) !== null
  return <Note tone="warn">{t(`loopback.${isForPhone ? 'phone' : isHere ? 'here' : 'elsewhere'}`, { host })}</Note>
}
