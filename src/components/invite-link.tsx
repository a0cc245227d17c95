import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions } from '#src/ui/dialog-form.tsx'
import { Note } from '#src/ui/note.tsx'
import { TextField } from '#src/ui/text-field.tsx'

interface InviteLinkProps {
  readonly invite: {
    /** Link with the secret. */
    readonly url: string
    readonly email?: string | null | undefined
    /** Delivery of the e-mail; `none` when no e-mail was requested. */
    readonly mail: 'sent' | 'not-configured' | 'failed' | 'none'
    readonly date_expire: string
  }
  readonly onClose: () => void
}

/** Link of a new invitation. Shown once: the server stores only a hash of the secret. */
export function InviteLink({ invite: { mail, email, url, date_expire }, onClose }: InviteLinkProps) {
  const { t } = useTranslation('common', { keyPrefix: 'inviteLink' })
  const language = useLanguage()
  const words = { idle: t('copy'), copied: t('copied'), refused: t('refused') }
  return (
    <Dialog title={t('title')} onClose={onClose}>
      {mail !== 'none' && <Note tone={mail === 'sent' ? 'ok' : 'warn'}>{t(`mail.${mail}`, { email })}</Note>}
      <TextField
        label={t('link')}
        hint={t('hint', { date: formatDateTime(date_expire, language) })}
        value={url}
        readOnly
        onChange={() => undefined}
        onFocus={(event) => event.currentTarget.select()}
      />
      <DialogActions>
        <Button look="outline" onClick={onClose}>
          {t('close')}
        </Button>
        <CopyButton look="filled" text={url} words={words} />
      </DialogActions>
    </Dialog>
  )
}
