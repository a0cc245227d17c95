import { useTranslation } from 'react-i18next'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { usePlatforms } from '#src/components/use-platform.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { isCustomAddress } from '#src/areas/channels/add-ways.ts'
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
  const list = usePlatforms()
  const ok = list.data?.results.find(({ type }) => type === 'ok')
  const form = useWriteForm({
    op: addChannel.ok,
    area: 'channels',
    values: { rtmp_url: '', stream_key: '' },
    inputOf: (values) => ({
      project_id: projectId,
      channel_id: placeId,
      account_id: accountId,
      rtmp_url: values.rtmp_url.trim(),
      stream_key: values.stream_key.trim(),
    }),
  })
  const { rtmp_url, stream_key } = form.values
  const isMissing = rtmp_url.trim() === '' || stream_key.trim() === ''
  return (
    <form className={styles.field} noValidate onSubmit={form.submit}>
      <TextField label={t('places.address')} hint={t('places.okHint')} {...form.field('rtmp_url')} />
      <CustomAddressNote
        projectId={projectId}
        platform={ok?.title ?? ''}
        isCustom={ok !== undefined && isCustomAddress(ok, rtmp_url)}
      />
      <SecretField
        label={t('channels:field.key')}
        words={{ show: t('channels:secret.show') }}
        {...form.field('stream_key')}
      />
      <div className={styles.act}>
        <Button type="submit" isBusy={form.isBusy} isOff={isMissing}>
          {t('places.save')}
        </Button>
        <div role="alert" className={styles.problem}>
          {form.problem && <Refusal projectId={projectId} error={form.problem} isInForm />}
        </div>
      </div>
    </form>
  )
}
