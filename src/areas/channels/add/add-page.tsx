import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { usePlatforms } from '#src/components/use-platform.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './add.module.css'
import { ConnectWay } from './connect-way.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { PlatformPicker } from './platform-picker.tsx'
import { useRef, useState } from 'react'
import type { Input } from '#contract/core/operation.ts'
import type { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Platform } from '#contract/entities/channel.ts'
import { useWrite } from '#src/api/query.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { LeaveGuard } from '#src/components/leave-guard.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { type AddDraft, problemOf, typeOf, wayOf } from '#src/areas/channels/add-ways.ts'
import type { AddedState } from './added-note.tsx'
import { AddressField } from '#src/areas/channels/address-field.tsx'
import { ConnectionTest } from '#src/areas/channels/detail/connection-test.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

/** Page to add a channel: platform first, then its account, or address and key. */
export function AddPage() {
  const { t } = useTranslation('channels')
  const projectId = Number(useParams()['projectId'])
  const [params] = useSearchParams()
  const { state } = useLocation()
  const list = usePlatforms()
  const wanted = params.get('platform')
  const mayEdit = useMayEdit(projectId)
  const chosen = list.data?.results.find(({ type, is_adding }) => type === wanted && is_adding === 1)
  return (
    <Page
      title={chosen ? t('add.titleOf', { platform: chosen.title }) : t('add.title')}
      intro={chosen ? undefined : t('add.intro')}
      actions={<Link to={paths.channels(projectId)}>{t('add.back')}</Link>}
    >
      {!mayEdit && <Note>{t('add.noRight')}</Note>}
      <QueryPart query={list} failed={t('add.failed')} skeleton={<Skeleton height={420} />}>
        {({ results }) =>
          chosen ? (
            <div className={styles.ways}>
              <p className={styles.picked}>
                <PlatformIcon type={chosen.type} size={30} /> <strong>{chosen.title}</strong>
                <Link to="?" state={state}>
                  {t('add.other')}
                </Link>
              </p>
              <AddForm key={chosen.type} projectId={projectId} platform={chosen} />
              {chosen.oauth === 1 && <ConnectWay projectId={projectId} platform={chosen} />}
            </div>
          ) : (
            <PlatformPicker platforms={results.filter(({ is_adding }) => is_adding === 1)} />
          )
        }
      </QueryPart>
    </Page>
  )
}

interface AddFormProps {
  readonly projectId: number
  readonly platform: Platform
}

/** Form for a new channel: address, key, name. Published addresses are preset, so most platforms need only the key. */
function AddForm({ projectId, platform }: AddFormProps) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  const preset = platform.ingests[0]?.url ?? ''
  const [typed, setTyped] = useState(preset)
  const type = typeOf(platform.type, typed)
  const { op, fields, inputOf } = wayOf(type)
  const { isFirstRun = false } = (useLocation().state as { readonly isFirstRun?: true } | null) ?? {}
  const tested = useRef('')
  const test = useWrite(channels.test)
  const form = useWriteForm({
    op,
    area: 'channels',
    values: { name: platform.title, address: preset, key: '', page: '' },
    inputOf: (draft: AddDraft) => ({ project_id: projectId, ...inputOf(draft) }) as Input<typeof addChannel.any>,
    wireNames: { rtmp_url: 'address', ingress_url: 'address', stream_key: 'key', channel_url: 'page' },
    rules: (draft) =>
      Object.fromEntries(
        fields.map((field) => {
          const problem = problemOf(field, draft[field], type === 'custom' ? 'any' : type)
          return [field, problem ? t(`wrong.${problem}`) : undefined]
        }),
      ),
    onSuccess: ({ channel_id: id }, { name, address: saved }) => {
      // The result of the form belongs to an address; the channel gets its own.
      if (tested.current === saved.trim()) test.mutate({ project_id: projectId, channel_id: id })
      const added = { id, name: fields.includes('name') ? name.trim() : platform.title }
      // From the guide of the first run back to its next step.
      if (isFirstRun) return navigate(paths.home(projectId))
      return navigate(paths.channels(projectId), { state: { added } satisfies AddedState })
    },
  })
  const address = form.values.address.trim()
  const addressField = form.field('address')
  // With a preset address only the key is missing.
  const firstField = preset === '' ? 'address' : 'key'

  return (
    <Card title={t(fields.includes('key') ? 'add.byKey' : 'add.byAddress')}>
      <form className={styles.form} noValidate onSubmit={form.submit}>
        <AddressField
          projectId={projectId}
          platform={platform}
          isFirst={firstField === 'address'}
          {...addressField}
          onChange={(text) => {
            setTyped(text)
            addressField.onChange(text)
          }}
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
            {...form.field('key')}
          />
        )}
        {fields.includes('page') && (
          <TextField label={t('field.page')} type="url" placeholder={`${platform.url}/…`} {...form.field('page')} />
        )}
        {fields.includes('name') && (
          <TextField label={t('field.name')} hint={t('add.nameHint')} maxLength={255} {...form.field('name')} />
        )}
        <ConnectionTest
          input={{ project_id: projectId, url: address }}
          isOff={address === ''}
          onTest={() => (tested.current = address)}
        />
        <div className={styles.acts}>
          <Button type="submit" isBusy={form.isBusy}>
            {t('add.save')}
          </Button>
          <div role="alert" className={styles.problem}>
            {form.problem && <Refusal projectId={projectId} error={form.problem} isInForm />}
          </div>
        </div>
        <LeaveGuard isDirty={form.isDirty} />
      </form>
    </Card>
  )
}
