import { useTranslation } from 'react-i18next'
import { useInstallation } from '#src/components/use-installation.ts'
import { Note } from '#src/ui/note.tsx'
import { loopbackHostOf } from './addresses.ts'

interface Props {
  readonly address: string
  /** Set for an address meant for a phone, which never runs the relay itself. */
  readonly isForPhone?: boolean
}

/** Warns that a loopback address works only on the machine that runs the relay. Operators see the remedy. */
export function LoopbackNote({ address, isForPhone = false }: Props) {
  const { t } = useTranslation('ingest')
  const { isOperator } = useInstallation()
  const host = loopbackHostOf(address)
  if (host === null) return null
  const isHere = loopbackHostOf(window.location.href) !== null
  const where = isForPhone ? 'phone' : isHere ? 'here' : 'elsewhere'
  return <Note tone="warn">{t(`loopback.${where}.${isOperator ? 'remedy' : 'text'}`, { host })}</Note>
}
