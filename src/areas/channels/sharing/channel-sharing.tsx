import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { access } from '#contract/areas/channels/access.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { channelRights, rightCan } from '#contract/entities/roles.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useSettled } from '#src/api/settled.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { CardPart } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type Place, SharingGuest } from './sharing-guest.tsx'
import { fullName, Refused, SharingRefusal } from './sharing-words.tsx'
import styles from './sharing.module.css'
import { type ChannelInvite, invites } from '#contract/areas/channels/invites.ts'
import type { Input } from '#contract/core/operation.ts'
import { type GuestAccess, guestAccess } from '#contract/entities/channel-sharing.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { InviteLink } from '#src/components/invite-link.tsx'
import { ChoiceList } from '#src/ui/choice-list.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions, DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { Badge } from '#src/ui/badge.tsx'

interface SharingDialogProps {
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
function SharingDialog({ place, name, onClose }: SharingDialogProps) {
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
        cancel={t('cancel')}
        submit={t(`way.${way}.send`)}
        isBusy={form.isBusy}
        isOff={way !== 'link' && form.values.target.trim() === ''}
        onSubmit={form.submit}
        onClose={onClose}
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

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Projects with access to a channel, on the page of that channel. */
export function ChannelSharing({ projectId, channel }: Props) {
  const { t } = useTranslation('sharing')
  const [isSharing, setSharing] = useState(false)
  const [done, setDone] = useState('')
  const place = { project_id: projectId, channel_id: channel.group_id }
  const list = useQuery({ ...q(access.list, place), enabled: useSettled() })
  const isOwn = channel.usageType === 0
  const mayShare = isOwn && rightCan(channel.access_type, 'owner')
  return (
    <CardPart
      title={t('card.title')}
      note={t(isOwn ? 'card.note' : 'card.guestNote')}
      actions={
        mayShare && (
          <Button look="outline" onClick={() => setSharing(true)}>
            <IconUserPlus size={17} aria-hidden />
            {t('card.share')}
          </Button>
        )
      }
    >
      <Note tone="ok">{done}</Note>
      <QueryPart
        query={list}
        failed={t('card.failed')}
        skeleton={
          <div data-deferred>
            <Skeleton height={58} />
          </div>
        }
      >
        {({ results }) => {
          const guests = results.filter(({ usageType }) => usageType === 1)
          const owner = results.find(({ usageType }) => usageType === 0)
          if (!isOwn) return <p>{t(`card.from.${channel.guestRights ?? 0}`, { name: fullName(owner?.project_) })}</p>
          if (guests.length === 0) return <p className={styles.quiet}>{t('card.none')}</p>
          return (
            <RowList label={t('card.list')}>
              {guests.map((guest) => (
                <SharingGuest key={guest.id} place={place} guest={guest} mayChange={mayShare} onDone={setDone} />
              ))}
            </RowList>
          )
        }}
      </QueryPart>
      {mayShare && <SharingInvites place={place} onDone={setDone} />}
      {isSharing && <SharingDialog place={place} name={channel.name} onClose={() => setSharing(false)} />}
    </CardPart>
  )
}

interface SharingInvitesProps {
  readonly place: Place
  /** Receives a sentence about the completed change. */
  readonly onDone: (text: string) => void
}

/** Pending and declined invitations to the channel. */
function SharingInvites({ place, onDone }: SharingInvitesProps) {
  const { t } = useTranslation('sharing')
  const list = useQuery({ ...q(invites.list, place), enabled: useSettled() })
  return (
    <QueryPart query={list} failed={t('invites.failed')} skeleton={null}>
      {({ results }) =>
        results.length === 0 ? null : (
          <>
            <h4 className={styles.sub}>{t('invites.title')}</h4>
            <RowList label={t('invites.title')}>
              {results.map((invite) => (
                <InviteRow key={invite.project_channel_invite_id} invite={invite} onDone={onDone} />
              ))}
            </RowList>
          </>
        )
      }
    </QueryPart>
  )
}

function InviteRow({ invite, onDone }: Pick<SharingInvitesProps, 'onDone'> & { readonly invite: ChannelInvite }) {
  const { t } = useTranslation('sharing')
  const withdraw = useWrite(invites.del, { onSuccess: () => onDone(t('invites.withdrawn')) })
  const who = fullName(invite.to_project_) || (invite.email ?? t('invites.byLink'))
  return (
    <Row
      title={who}
      about={
        <>
          {t(`access.${invite.access_type}`)} {t('invites.until')} <DateStamp iso={invite.date_expire} />
        </>
      }
      actions={
        <>
          {invite.reject && <Badge tone="warn">{t('invites.declined')}</Badge>}
          <Button
            look="outline"
            isBusy={withdraw.isPending}
            aria-label={t('invites.withdrawOf', { who })}
            onClick={() => withdraw.mutate({ id: invite.project_channel_invite_id })}
          >
            {t('invites.withdraw')}
          </Button>
        </>
      }
    >
      {withdraw.error && <Refused error={withdraw.error} />}
    </Row>
  )
}
