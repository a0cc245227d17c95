import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invites } from '#contract/areas/channels/invites.ts'
import type { Input } from '#contract/core/operation.ts'
import { type GuestAccess, guestAccess } from '#contract/entities/channel-sharing.ts'
import { channelRights } from '#contract/entities/roles.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
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
type InviteKind = (typeof ways)[number]

const operations = { project: invites.addById, email: invites.addByEmail, link: invites.addLink } as const
type InviteInput = Input<(typeof operations)[InviteKind]>

/** Input that names the invited project. */
const targetOf: Readonly<Record<InviteKind, (target: string) => object>> = {
  project: (target) => ({ to_project_external_id: target }),
  email: (target) => ({ email: target }),
  link: () => ({}),
}

/** Dialog that invites another project by its id, by e-mail, or with a link that is shown once. */
export function SharingDialog({ place, name, onClose }: Props) {
  const { t } = useTranslation('sharing')
  const [way, setWay] = useState<InviteKind>('project')
  const form = useWriteForm({
    op: operations[way],
    area: 'sharing',
    values: { access_type: channelRights.use as GuestAccess, target: '' },
    inputOf: ({ access_type, target }) => ({ ...place, access_type, ...targetOf[way](target.trim()) }) as InviteInput,
    wireNames: { to_project_external_id: 'target', email: 'target' },
    messages: way === 'link' ? {} : { target: t(`way.${way}.wrong`) },
  })
  const { output } = form
  if (output && 'url' in output) return <InviteLink invite={output} onClose={onClose} />
  if (output)
    return (
      <Dialog title={t('dialog.invited')} onClose={onClose}>
        <p>{t('dialog.invitedText', { name: output.to_project_?.name ?? '' })}</p>
        <DialogActions>
          <Button onClick={onClose}>{t('close')}</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title={t('dialog.title', { name })} onClose={onClose}>
      <DialogForm
        problem={form.problem && <SharingRefusal error={form.problem} />}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={form.isBusy} isOff={way !== 'link' && form.values.target.trim() === ''}>
              {t(`way.${way}.send`)}
            </Button>
          </>
        }
        onSubmit={form.submit}
      >
        <ChoiceList
          label={t('dialog.how')}
          value={way}
          choices={ways.map((one) => ({ value: one, title: t(`way.${one}.title`), text: t(`way.${one}.text`) }))}
          onChange={(one) => {
            setWay(one)
            form.change({ target: '' })
          }}
        />
        {way !== 'link' && (
          <TextField
            key={way}
            label={t(`way.${way}.field`)}
            type={way === 'email' ? 'email' : 'text'}
            autoComplete="off"
            {...form.field('target')}
          />
        )}
        <ChoiceList
          label={t('dialog.access')}
          choices={guestAccess.map((one) => ({
            value: one,
            title: t(`accessShort.${one}`),
            text: t(`accessText.${one}`),
          }))}
          {...form.field('access_type')}
        />
      </DialogForm>
    </Dialog>
  )
}
