import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { type Account, type AccountChannel, platforms } from '#contract/areas/channels/platforms.ts'
import type { PlacePlatform } from '#contract/platforms/platforms.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { usePlatforms } from '#src/components/use-platform.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { SecretField } from '#src/ui/secret-field.tsx'
import { isCustomAddress } from '#src/areas/channels/add-ways.ts'
import { CustomAddressNote } from '#src/areas/channels/custom-address-note.tsx'

interface Props {
  readonly projectId: number
  readonly platform: PlacePlatform
  readonly accounts: readonly Account[]
}

const pageSize = 10

/** Places of accounts to stream to, with a button that turns each into a channel. */
export function PlacesPicker({ projectId, platform, accounts }: Props) {
  const { t } = useTranslation('platform-accounts')
  const requestId = useId()
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const wanted = useDeferredValue(text)
  const query = useQuery({
    ...q(platforms.accountChannels, {
      project_id: projectId,
      platform,
      ids: accounts.map(({ id }) => id),
      q: wanted,
      request_id: requestId,
      limit: pageSize,
      page,
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  return (
    <div className={styles.places}>
      <div className={styles.search}>
        <TextField
          label={t('places.search')}
          type="search"
          value={text}
          onChange={(next) => {
            setText(next)
            setPage(1)
          }}
        />
      </div>
      <QueryPart query={query} failed={t('places.failed')} skeleton={<Skeleton height={180} />}>
        {({ results, totalItems, totalPages, currentPage }) => (
          <>
            <RowList label={t('places.title')}>
              {results.map((place) => (
                <PlaceRow key={place.id} projectId={projectId} platform={platform} place={place} />
              ))}
            </RowList>
            <div className={styles.more}>
              <span>{t(totalItems === 0 ? 'places.none' : 'places.count', { count: totalItems })}</span>
              {currentPage > 1 && (
                <Button look="outline" onClick={() => setPage(currentPage - 1)}>
                  {t('places.previous')}
                </Button>
              )}
              {currentPage < totalPages && (
                <Button look="outline" onClick={() => setPage(currentPage + 1)}>
                  {t('places.next')}
                </Button>
              )}
            </div>
          </>
        )}
      </QueryPart>
    </div>
  )
}

interface PlaceProps {
  readonly projectId: number
  readonly platform: PlacePlatform
  readonly place: AccountChannel
}

function PlaceRow({ projectId, platform, place }: PlaceProps) {
  const { t } = useTranslation('platform-accounts')
  const [isOpen, setOpen] = useState(false)
  const add = useWrite(addChannel.vk)
  const { id, name, members, connectedId, accounts } = place
  const accountId = String(accounts[0]?.internalId ?? '')
  // The OK API returns neither address nor key; the user pastes them.
  const begin = () =>
    platform === 'ok' ? setOpen(!isOpen) : add.mutate({ project_id: projectId, channel_id: id, account_id: accountId })
  return (
    <Row
      title={name}
      about={members > 0 && t('places.members', { count: members })}
      actions={
        connectedId === null ? (
          <Button
            look="outline"
            isBusy={add.isPending}
            aria-label={t('places.addNamed', { name })}
            aria-expanded={platform === 'ok' ? isOpen : undefined}
            onClick={begin}
          >
            {t('places.add')}
          </Button>
        ) : (
          <Link to={paths.channel(projectId, connectedId)}>{t('places.added')}</Link>
        )
      }
    >
      {add.error ? (
        <p role="alert" className={styles.problem}>
          <Refusal projectId={projectId} error={add.error} />
        </p>
      ) : (
        isOpen && connectedId === null && <OkPlaceForm projectId={projectId} placeId={id} accountId={accountId} />
      )}
    </Row>
  )
}

interface OkPlaceFormProps {
  readonly projectId: number
  readonly placeId: string
  readonly accountId: string
}

/** Address and key of an OK place; OK shows them to the account owner only. */
function OkPlaceForm({ projectId, placeId, accountId }: OkPlaceFormProps) {
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
