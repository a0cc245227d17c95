import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { Deferred } from '#src/components/deferred.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

// With the library of forms, which the rest of Stream setup does not need.
const RemoteForm = lazy(async () => ({ default: (await import('./remote-form.tsx')).RemoteForm }))

/** Height of the form without an address, pixels. */
export const remoteHeight = 150

/** A stream that a server fetches in the place of an encoder. For editors. */
export function RemoteCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('ingest')
  return (
    <Card title={t('remote.title')} note={t('remote.note')}>
      <Deferred room={<Skeleton height={remoteHeight} />}>
        <RemoteForm projectId={projectId} />
      </Deferred>
      <HelpLinkLater article="stream/remote-source" />
    </Card>
  )
}
