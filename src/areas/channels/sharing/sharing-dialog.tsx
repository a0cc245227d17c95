import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invites } from '#contract/areas/channels/invites.ts'
import { type GuestAccess, guestAccess } from '#contract/entities/channel-sharing.ts'
import { toApiError } from '#src/api/api-error.ts'
import { accessTypes } from '#contract/entities/roles.ts'
import { useWrite } from '#src/api/query.ts'
import { InviteLink } from '#src/components/invite-link.tsx'
import { Button } from '#src/ui/button.tsx'
import { ChoiceList } from '#src/ui/choice-list.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions, DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import type { Place } from './sharing-guest.tsx'
import { SharingRefusal } from './sharing-words.tsx'

interface Props {
  readonly place: Place
  readonly name: string
  readonly onClose: () => void
}

const ways = ['project', 'email', 'link'] as const
type Way = (typeof ways)[number]

/** Dialog that invites another project by its id, by e-mail, or with a link that is shown once. */
export function SharingDialog({ place, name, onClose }: Props) {
  const { t } = useTranslation('sharing')
  const [way, setWay] = useState<Way>('project')
  const [access, setAccess] = useState<GuestAccess>(accessTypes.editor)
  const [text, setText] = useState('')
  const byId = useWrite(invites.addById)
  const byEmail = useWrite(invites.addByEmail)
  const byLink = useWrite(invites.addLink)
  const write = { project: byId, email: byEmail, link: byLink }[way]
  const value = text.trim()
  const isOff = way !== 'link' && value === ''
  const isWrong = write.error !== null && way !== 'link' && Object.keys(toApiError(write.error).fields).length > 0
  const handleSubmit = () => {
    if (isOff || write.isPending) return
    const input = { ...place, access_type: access }
    if (way === 'project') byId.mutate({ ...input, to_project_external_id: value })
    else if (way === 'email') byEmail.mutate({ ...input, email: value })
    else byLink.mutate(input)
  }
  const link = byEmail.data ?? byLink.data
  if (link) return <InviteLink invite={link} onClose={onClose} />
  if (byId.data)
    return (
      <Dialog title={t('dialog.invited')} onClose={onClose}>
        <p>{t('dialog.invitedText', { name: byId.data.to_project_?.name ?? '' })}</p>
        <DialogActions>
          <Button onClick={onClose}>{t('close')}</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title={t('dialog.title', { name })} onClose={onClose}>
      <DialogForm
        problem={write.error && !isWrong && <SharingRefusal error={write.error} />}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={write.isPending} isOff={isOff}>
              {t(`way.${way}.send`)}
            </Button>
          </>
        }
        onSubmit={handleSubmit}
      >
        <ChoiceList
          label={t('dialog.how')}
          value={way}
          choices={ways.map((one) => ({ value: one, title: t(`way.${one}.title`), text: t(`way.${one}.text`) }))}
          onChange={(one) => {
            setWay(one)
            setText('')
          }}
        />
        {way !== 'link' && (
          <TextField
            key={way}
            label={t(`way.${way}.field`)}
            error={isWrong ? t(`way.${way}.wrong`) : undefined}
            type={way === 'email' ? 'email' : 'text'}
            autoComplete="off"
            value={text}
            onChange={setText}
          />
        )}
        <ChoiceList
          label={t('dialog.access')}
          value={access}
          choices={guestAccess.map((one) => ({
            value: one,
            title: t(`accessShort.${one}`),
            text: t(`accessText.${one}`),
          }))}
          onChange={setAccess}
        />
      </DialogForm>
    </Dialog>
  )
}
