import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/channels/settings.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { usePlatforms } from '#src/components/use-platform.ts'
import type { Form } from '#src/components/form/use-form.ts'
import { SecretField } from '#src/ui/secret-field.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { problemOf } from '#src/areas/channels/add-ways.ts'
import { AddressField } from '#src/areas/channels/address-field.tsx'
import { FormPart } from './settings-card.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Fields for the ingest address and the stream key. */
export function AddressForm({ projectId, channel }: Props) {
  const { t } = useTranslation('channels')
  const list = usePlatforms()
  const { type, platform } = channel
  const isSrt = type === 'srt'
  const common = { project_id: projectId, channel_id: channel.group_id }
  const saved = { url: channel.ingress_url ?? '', stream_key: channel.stream_key ?? '' }
  const rules = ({ url, stream_key }: typeof saved) => {
    const textOf = (problem: string | null) => problem && t(`wrong.${problem}`)
    return {
      url: textOf(problemOf('address', url, type)) ?? undefined,
      stream_key: (isSrt ? null : textOf(problemOf('key', stream_key, type))) ?? undefined,
    }
  }
  const copy = { idle: t('secret.copy'), copied: t('secret.copied'), refused: t('secret.refused') }
  // Without the published addresses the field would show the saved one as custom.
  if (list.isPending) return <Skeleton height={isSrt ? 210 : 340} />
  const { ingests = [], hosts = [] } = list.data?.results.find((one) => one.type === type) ?? {}
  const addressField = ({ field }: Form<typeof saved>) => (
    <AddressField
      projectId={projectId}
      saved={saved.url}
      platform={{ type, title: platform.title, ingests, hosts }}
      {...field('url')}
    />
  )
  const part = { projectId, title: t(isSrt ? 'address.srt' : 'address.title'), saved, rules }
  return isSrt ? (
    <FormPart {...part} op={settings.setSrt} inputOf={({ url }) => ({ ...common, url: url.trim() })}>
      {({ field }) => (
        <>
          <SecretField
            label={t('field.address')}
            hint={t('field.srtHint')}
            maxLength={1000}
            words={{ show: t('field.srtShow'), copy }}
            {...field('url')}
          />
          <Note tone="warn">{t('field.srtCost')}</Note>
        </>
      )}
    </FormPart>
  ) : (
    <FormPart
      {...part}
      op={settings.setRtmp}
      inputOf={({ url, stream_key }) => ({
        ...common,
        url: url.trim(),
        // An omitted key stays unchanged.
        ...(stream_key !== saved.stream_key && { stream_key: stream_key.trim() }),
      })}
    >
      {(form) => (
        <>
          {addressField(form)}
          <SecretField
            label={t('field.key')}
            hint={t('secret.hint')}
            words={{ show: t('secret.show'), copy }}
            {...form.field('stream_key')}
          />
        </>
      )}
    </FormPart>
  )
}
