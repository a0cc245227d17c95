import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { access, type ChannelAccess } from '#contract/areas/channels/access.ts'
import { guestAccess } from '#contract/entities/channel-sharing.ts'
import { useWrite } from '#src/api/query.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { fullName, Refused, SharingRefusal } from './sharing-words.tsx'

/** Channel and project ids as the sharing operations take them. */
export interface Place {
  readonly project_id: number
  readonly channel_id: number
}

interface Props {
  readonly place: Place
  readonly guest: ChannelAccess
  readonly mayChange: boolean
  /** Receives a sentence about the completed change. */
  readonly onDone: (text: string) => void
}

/** A project with access to the channel: its role, and the button that revokes access. */
export function SharingGuest({ place, guest, mayChange, onDone }: Props) {
  const { t } = useTranslation('sharing')
  const [asking, setAsking] = useState<'remove' | 'transfer' | null>(null)
  const name = fullName(guest.project_)
  const change = useWrite(access.change, { onSuccess: () => onDone(t('guest.changed', { name })) })
  const remove = useWrite(access.del, { onSuccess: () => onDone(t('guest.removed', { name })) })
  const transfer = useWrite(access.transferOwner)
  const target = guest.project_id
  const write = asking === 'remove' ? remove : transfer
  const close = () => {
    setAsking(null)
    write.reset()
  }
  return (
    <Row
      title={name}
      about={mayChange ? undefined : t(`access.${guest.access_type}`)}
      actions={
        <>
          {guest.active === 1 && <Badge tone="ok">{t('guest.on')}</Badge>}
          {mayChange && (
            <>
              <SelectField
                label={t('guest.accessOf', { name })}
                isLabelHidden
                value={String(guest.access_type)}
                choices={guestAccess.map((one) => ({ value: String(one), label: t(`accessShort.${one}`) }))}
                disabled={change.isPending}
                onChange={(value) => {
                  const access_type = guestAccess.find((one) => String(one) === value)
                  if (access_type !== undefined) change.mutate({ ...place, to_project_id: target, access_type })
                }}
              />
              <Button look="quiet" aria-label={t('transfer.of', { name })} onClick={() => setAsking('transfer')}>
                {t('transfer.button')}
              </Button>
              <Button look="outline" aria-label={t('remove.of', { name })} onClick={() => setAsking('remove')}>
                {t('remove.button')}
              </Button>
            </>
          )}
        </>
      }
    >
      {change.error && <Refused error={change.error} />}
      {asking && (
        <ConfirmDialog
          title={t(`${asking}.ask`, { name })}
          confirm={t(`${asking}.confirm`)}
          keep={t('cancel')}
          isDanger
          isBusy={write.isPending}
          problem={write.error && <SharingRefusal error={write.error} />}
          onConfirm={() =>
            asking === 'remove'
              ? remove.mutate({ ...place, target_project_id: target })
              : transfer.mutate({ ...place, to_project_id: target }, { onSuccess: close })
          }
          onClose={close}
        >
          <p>{t(`${asking}.text`, { name })}</p>
        </ConfirmDialog>
      )}
    </Row>
  )
}
