import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q, useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { isCustomAddress } from '#src/areas/channels/add/add-ways.ts'
import { CustomAddressNote } from '#src/areas/channels/custom-address-note.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly projectId: number
  readonly placeId: string
  readonly accountId: string
}

/** Address and key of an OK place; OK shows them to the account owner only. */
export function OkPlaceForm({ projectId, placeId, accountId }: Props) {
  const { t } = useTranslation(['platform-accounts', 'channels'])
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const add = useWrite(addChannel.ok)
  const list = useQuery({ ...q(platforms.list, {}), staleTime: 3_600_000 })
  const ok = list.data?.results.find(({ type }) => type === 'ok')
  const fields = add.error ? toApiError(add.error).fields : {}
  const isMissing = address.trim() === '' || key.trim() === ''
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isMissing || add.isPending) return
    const place = { project_id: projectId, channel_id: placeId, account_id: accountId }
    add.mutate({ ...place, rtmp_url: address.trim(), stream_key: key.trim() })
  }
  return (
    <form className={styles.field} noValidate onSubmit={handleSubmit}>
      <TextField
        label={t('places.address')}
        hint={t('places.okHint')}
        value={address}
        error={fields['rtmp_url']?.join(' ')}
        onChange={setAddress}
      />
      <CustomAddressNote
        projectId={projectId}
        platform={ok?.title ?? ''}
        isCustom={ok !== undefined && isCustomAddress(ok, address)}
      />
      <SecretField
        label={t('channels:field.key')}
        words={{ show: t('channels:secret.show') }}
        value={key}
        error={fields['stream_key']?.join(' ')}
        onChange={setKey}
      />
      <div className={styles.act}>
        <Button type="submit" isBusy={add.isPending} isOff={isMissing}>
          {t('places.save')}
        </Button>
        <div role="alert" className={styles.problem}>
          {add.error && <Refusal projectId={projectId} error={add.error} isInForm />}
        </div>
      </div>
    </form>
  )
}
