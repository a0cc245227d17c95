import { type SyntheticEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Input } from '#contract/core/operation.ts'
import type { addChannel } from '#contract/areas/channels/add-channel.ts'
import type { Platform } from '#contract/entities/channel.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { LeaveGuard } from '#src/components/leave-guard.tsx'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { type AddDraft, problemOf, wayOf } from './add-ways.ts'
import type { AddedState } from './added-note.tsx'
import { AddressField } from '#src/areas/channels/address-field.tsx'
import styles from './add.module.css'
import { ConnectionTest } from '#src/areas/channels/detail/connection-test.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly projectId: number
  readonly platform: Platform
}

/** Field names by their wire names, to place the errors of the service. */
const wireNames = {
  name: ['name'],
  address: ['rtmp_url', 'ingress_url'],
  key: ['stream_key'],
  page: ['channel_url'],
} satisfies Record<keyof AddDraft, readonly string[]>

/** Form for a new channel: address, key, name. Published addresses are preset, so most platforms need only the key. */
export function AddForm({ projectId, platform }: Props) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  const preset = platform.ingests[0]?.url ?? ''
  const empty = { name: platform.title, address: preset, key: '', page: '' }
  const [draft, setDraft] = useState<AddDraft>(empty)
  const [isTried, setTried] = useState(false)
  const { op, fields, inputOf } = wayOf(platform.type)
  const [isAdded, setAdded] = useState(false)
  const isDirty = !isAdded && (draft.key !== '' || draft.address !== preset || draft.name !== platform.title)
  const add = useWrite(op, {
    onSuccess: async ({ channel_id: id }) => {
      // Set before navigation: the form has no unsaved input any more.
      flushSync(() => setAdded(true))
      const name = fields.includes('name') ? draft.name.trim() : platform.title
      await navigate(paths.channels(projectId), { state: { added: { id, name } } satisfies AddedState })
    },
  })
  const refused = add.error ? toApiError(add.error).fields : {}
  const errorOf = (field: keyof AddDraft): string | undefined => {
    const problem = isTried ? problemOf(field, draft, platform.type) : null
    return problem ? t(`wrong.${problem}`) : wireNames[field].flatMap((name) => refused[name] ?? []).join(' ')
  }
  const change = (part: Partial<AddDraft>) => {
    setDraft((now) => ({ ...now, ...part }))
    if (add.error) add.reset()
  }
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (add.isPending || fields.some((field) => problemOf(field, draft, platform.type))) return
    add.mutate({ project_id: projectId, ...inputOf(draft) } as Input<typeof addChannel.any>)
  }
  // With a preset address only the key is missing.
  const firstField = preset === '' ? 'address' : 'key'

  return (
    <Card title={t(fields.includes('key') ? 'add.byKey' : 'add.byAddress')}>
      <form className={styles.form} noValidate onSubmit={handleSubmit}>
        <AddressField
          projectId={projectId}
          platform={platform}
          value={draft.address}
          error={errorOf('address')}
          isFirst={firstField === 'address'}
          onChange={(address) => change({ address })}
        />
        {fields.includes('key') && (
          <SecretField
            label={t('field.key')}
            hint={
              platform.key_url && (
                <a href={platform.key_url} target="_blank" rel="noreferrer">
                  {t('add.whereKey', { platform: platform.title })}
                </a>
              )
            }
            words={{ show: t('secret.show') }}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only empty required field
            autoFocus={firstField === 'key'}
            value={draft.key}
            error={errorOf('key')}
            onChange={(key) => change({ key })}
          />
        )}
        {fields.includes('page') && (
          <TextField
            label={t('field.page')}
            type="url"
            placeholder={`${platform.url}/…`}
            value={draft.page}
            error={errorOf('page')}
            onChange={(page) => change({ page })}
          />
        )}
        {fields.includes('name') && (
          <TextField
            label={t('field.name')}
            hint={t('add.nameHint')}
            value={draft.name}
            maxLength={255}
            error={errorOf('name')}
            onChange={(name) => change({ name })}
          />
        )}
        <ConnectionTest
          input={{ project_id: projectId, url: draft.address.trim() }}
          isOff={draft.address.trim() === ''}
        />
        <div className={styles.acts}>
          <Button type="submit" isBusy={add.isPending}>
            {t('add.save')}
          </Button>
          <div role="alert" className={styles.problem}>
            {add.error && <Refusal projectId={projectId} error={add.error} isInForm />}
          </div>
        </div>
        <LeaveGuard isDirty={isDirty} />
      </form>
    </Card>
  )
}
