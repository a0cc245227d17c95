import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { usePlatforms } from '#src/components/use-platform.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { AddForm } from './add-form.tsx'
import styles from './add.module.css'
import { ConnectWay } from './connect-way.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { PlatformPicker } from './platform-picker.tsx'

/** Page to add a channel: platform first, then its account, or address and key. */
export function AddPage() {
  const { t } = useTranslation('channels')
  const projectId = Number(useParams()['projectId'])
  const [params] = useSearchParams()
  const list = usePlatforms()
  const wanted = params.get('platform')
  const chosen = list.data?.results.find(({ type, is_adding }) => type === wanted && is_adding === 1)
  return (
    <Page
      title={chosen ? t('add.titleOf', { platform: chosen.title }) : t('add.title')}
      intro={chosen ? undefined : t('add.intro')}
      actions={<Link to={paths.channels(projectId)}>{t('add.back')}</Link>}
    >
      <QueryPart query={list} failed={t('add.failed')} skeleton={<Skeleton height={420} />}>
        {({ results }) =>
          chosen ? (
            <div className={styles.ways}>
              <p className={styles.picked}>
                <PlatformIcon type={chosen.type} size={30} /> <strong>{chosen.title}</strong>
                <Link to="?">{t('add.other')}</Link>
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
