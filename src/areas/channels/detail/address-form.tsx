import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { q } from '#src/api/query.ts'
import { SecretField } from '#src/ui/secret-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { problemOf } from '#src/areas/channels/add/add-ways.ts'
import { AddressField } from '#src/areas/channels/address-field.tsx'
import { FormCard } from './form-card.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Form for the ingest address and the stream key. */
export function AddressForm({ projectId, channel }: Props) {
  const { t } = useTranslation('channels')
  const list = useQuery({ ...q(platforms.list, {}), staleTime: 3_600_000 })
  const { type, platform } = channel
  const isSrt = type === 'srt'
  const common = { project_id: projectId, channel_id: channel.group_id }
  const saved = { address: channel.ingress_url ?? '', key: channel.stream_key ?? '' }
  const wrong = (values: typeof saved) => {
    const draft = { ...values, name: '', page: '' }
    const problem = problemOf('address', draft, type) ?? (isSrt ? null : problemOf('key', draft, type))
    return problem && t(`wrong.${problem}`)
  }
  const copy = { idle: t('secret.copy'), copied: t('secret.copied'), refused: t('secret.refused') }
  // Without the published addresses the field would show the saved one as custom.
  if (list.isPending) return <Skeleton height={isSrt ? 210 : 340} />
  const { ingests = [], hosts = [] } = list.data?.results.find((one) => one.type === type) ?? {}
  const addressField = (value: string, error: string | undefined, onChange: (address: string) => void) => (
    <AddressField
      projectId={projectId}
      saved={saved.address}
      platform={{ type, title: platform.title, ingests, hosts }}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
  const fields = { projectId, title: t(isSrt ? 'address.srt' : 'address.title'), saved, wrong }
  return isSrt ? (
    <FormCard {...fields} op={settings.setSrt} inputOf={({ address }) => ({ ...common, url: address.trim() })}>
      {({ values, change, errorOf }) => addressField(values.address, errorOf('url'), (address) => change({ address }))}
    </FormCard>
  ) : (
    <FormCard
      {...fields}
      op={settings.setRtmp}
      inputOf={({ address, key }) => ({
        ...common,
        url: address.trim(),
        // An omitted key stays unchanged.
        ...(key !== saved.key && { stream_key: key.trim() }),
      })}
    >
      {({ values, change, errorOf }) => (
        <>
          {addressField(values.address, errorOf('url'), (address) => change({ address }))}
          <SecretField
            label={t('field.key')}
            hint={t('secret.hint')}
            words={{ show: t('secret.show'), copy }}
            value={values.key}
            error={errorOf('stream_key')}
            onChange={(key) => change({ key })}
          />
        </>
      )}
    </FormCard>
  )
}
