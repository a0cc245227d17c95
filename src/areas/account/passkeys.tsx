import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Passkey, security } from '#contract/areas/account/security.ts'
import { useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'

interface Props {
  readonly list: readonly Passkey[]
  /** Receives recovery codes; none where the account has some already. */
  readonly onCodes: (codes: readonly string[]) => void
}

/** Passkeys of the user, and a new one. */
export function Passkeys({ list, onCodes }: Props) {
  const { t } = useTranslation('account', { keyPrefix: 'security.passkeys' })
  const why = useFailureText('account')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState('')
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const add = useWrite(security.addPasskey, {
    onSuccess: ({ recovery_codes }) => {
      setName('')
      onCodes(recovery_codes)
    },
  })
  const begin = useWrite(security.beginPasskey)
  const remove = useWrite(security.removePasskey, { onSuccess: () => setRemoved(null) })

  async function create(): Promise<void> {
    setProblem('')
    try {
      const { options } = await begin.mutateAsync({})
      // Loaded with the first use.
      const { startRegistration } = await import('@simplewebauthn/browser')
      const response = await startRegistration({ optionsJSON: options as never }).catch((error: Error) => error)
      if (response instanceof Error) return setProblem(t(problemOf(response)))
      await add.mutateAsync({ name: name.trim() || t('unnamed'), response: response as never })
    } catch (error) {
      setProblem(why(error))
    }
  }

  const isAvailable = 'PublicKeyCredential' in globalThis
  return (
    <Card title={t('title')} note={t('text')}>
      {list.length > 0 && (
        <RowList label={t('title')}>
          {list.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoved(passkey)} />
          ))}
        </RowList>
      )}
      {isAvailable ? (
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void create()
          }}
        >
          <TextField label={t('name')} hint={t('nameHint')} maxLength={100} value={name} onChange={setName} />
          <div className={styles.actions}>
            <Button type="submit" look="outline" isBusy={begin.isPending || add.isPending}>
              {t('add')}
            </Button>
          </div>
        </form>
      ) : (
        <p className={styles.note}>{t('unavailable')}</p>
      )}
      <Note tone={problem ? 'live' : 'ok'}>{problem || (add.isSuccess ? t('added') : '')}</Note>
      {removed && (
        <ConfirmDialog
          title={t('ask.title', { name: removed.name })}
          confirm={t('ask.confirm')}
          keep={t('ask.keep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && why(remove.error)}
          onConfirm={() => remove.mutate({ passkey_id: removed.id })}
          onClose={() => setRemoved(null)}
        >
          <p>{t('ask.text')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function PasskeyRow({ passkey, onRemove }: { readonly passkey: Passkey; readonly onRemove: () => void }) {
  const { t } = useTranslation('account', { keyPrefix: 'security.passkeys' })
  return (
    <Row
      lead={
        <span className={styles.sign} aria-hidden>
          <IconFingerprint size={22} stroke={1.6} />
        </span>
      }
      title={passkey.name}
      about={
        <span className={styles.facts}>
          <span>
            {t('since')} <DateStamp iso={passkey.date_create} />
          </span>
          {passkey.date_use && (
            <span>
              {t('used')} <DateStamp iso={passkey.date_use} />
            </span>
          )}
          <span>{t('host', { host: passkey.host })}</span>
        </span>
      }
      actions={
        <Button look="outline" aria-label={t('removeOne', { name: passkey.name })} onClick={onRemove}>
          {t('remove')}
        </Button>
      }
    />
  )
}

/** Text about a registration that the browser ended. */
function problemOf({ name }: Error): string {
  if (name === 'InvalidStateError') return 'known'
  if (name === 'SecurityError') return 'address'
  return name === 'NotAllowedError' || name === 'AbortError' ? 'declined' : 'failed'
}
