import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/note.tsx'
import { loopbackHostOf } from './addresses.ts'

interface Props {
  readonly address: string
  /** The address is for a phone, which is never the machine itself. */
  readonly isForPhone?: boolean
}

/** Warns that an address reaches only the machine of the relay. */
export function LoopbackNote({ address, isForPhone = false }: Props) {
  const { t } = useTranslation('ingest')
  const host = loopbackHostOf(address)
  if (host === null) return null
  const isHere = loopbackHostOf(window.location.href) !== null
  return <Note tone="warn">{t(`loopback.${isForPhone ? 'phone' : isHere ? 'here' : 'elsewhere'}`, { host })}</Note>
}
