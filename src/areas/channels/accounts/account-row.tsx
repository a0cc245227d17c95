import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, platforms } from '#contract/areas/channels/platforms.ts'
import { accountKinds, isOneOf, placePlatforms } from '#contract/platforms/platforms.ts'
import { useWrite } from '#src/api/query.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { ConnectButton } from './connect-button.tsx'
import { PlacesPicker } from '#src/areas/channels/detail/places-picker.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly projectId: number
  readonly account: Account
  readonly mayEdit: boolean
}

/** One connected account: owner, state and actions. */
export function AccountRow({ projectId, account, mayEdit }: Props) {
  const { t } = useTranslation('platform-accounts')
  const [open, setOpen] = useState<'places' | 'remove' | null>(null)
  const { name, platform, status, channels, chat } = account
  const works = status === 1
  const { title, type } = accountKinds[platform]
  const places = works && mayEdit && isOneOf(placePlatforms, type) ? type : null
  return (
    <Row
      lead={<PlatformIcon type={type} />}
      title={name}
      about={`${title} · ${t('row.channels', { count: channels })}`}
      actions={
        <>
          <Badge tone={works ? 'ok' : 'warn'}>{t(works ? 'row.works' : 'row.dead')}</Badge>
          {!works && (
            <ConnectButton
              projectId={projectId}
              platform={platform}
              label={t('row.againNamed', { platform: title })}
              isOff={!mayEdit}
              {...(chat !== undefined && { chat: chat === 1 })}
            >
              {t('row.again')}
            </ConnectButton>
          )}
          {works && chat === 0 && (
            <ConnectButton
              projectId={projectId}
              platform={platform}
              label={t('row.chatNamed', { platform: title })}
              look="outline"
              isOff={!mayEdit}
              chat
            >
              {t('row.chat')}
            </ConnectButton>
          )}
          {places && (
            <Button
              look="outline"
              aria-expanded={open === 'places'}
              aria-label={t('row.placesNamed', { name })}
              onClick={() => setOpen(open === 'places' ? null : 'places')}
            >
              {t('row.places')}
            </Button>
          )}
          <Button look="quiet" aria-label={t('row.removeNamed', { name })} onClick={() => setOpen('remove')}>
            {t('row.remove')}
          </Button>
        </>
      }
    >
      {open === 'remove' ? (
        <RemoveDialog projectId={projectId} account={account} onClose={() => setOpen(null)} />
      ) : (
        places && open && <PlacesPicker projectId={projectId} platform={places} accounts={[account]} />
      )}
    </Row>
  )
}

interface RemoveProps {
  readonly projectId: number
  readonly account: Account
  readonly onClose: () => void
}

function RemoveDialog({ projectId, account, onClose }: RemoveProps) {
  const { t } = useTranslation('platform-accounts')
  const remove = useWrite(platforms.accountRemove, { onSuccess: onClose })
  const { id, platform, name, channels } = account
  return (
    <ConfirmDialog
      title={t('remove.title', { name })}
      confirm={t('remove.confirm')}
      keep={t('remove.keep')}
      isDanger
      isBusy={remove.isPending}
      problem={remove.error && <Refusal projectId={projectId} error={remove.error} />}
      onConfirm={() => remove.mutate({ platform, id: String(id) })}
      onClose={onClose}
    >
      <p>{t('remove.text', { platform: accountKinds[platform].title })}</p>
      {channels > 0 && <p>{t('remove.channels', { count: channels })}</p>}
    </ConfirmDialog>
  )
}
