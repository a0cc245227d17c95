import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { groupTitle } from '#src/lib/group-title.ts'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'
import { type ReferenceGroup, referenceGroup, routeOf } from './catalogue.ts'
import { OperationDetails } from './operation-details.tsx'
import { OperationPanel } from './operation-panel.tsx'
import styles from './reference.module.css'
import { WaitingDetails } from './waiting-details.tsx'

/** Reference page with the operations of one group. */
export function GroupPage() {
  const { group: id } = useParams()
  const group = referenceGroup(id)
  return group ? <Known key={group.id} group={group} /> : <Unknown id={id ?? ''} />
}

function Known({ group: { id, area, title, served, waiting } }: { group: ReferenceGroup }) {
  const { t } = useTranslation('reference')
  return (
    <Page
      title={<span lang="en">{groupTitle(title)}</span>}
      intro={
        <>
          {t(`area.${area}`)} · <code>{id}</code> · {t('count.all', { count: served.length + waiting.length })}
        </>
      }
      actions={<Back />}
    >
      {served.length > 0 && (
        <section className={styles.part} aria-labelledby="served">
          <h2 id="served">{t('group.served')}</h2>
          {served.map((op) => (
            <OperationPanel key={op.id} route={routeOf(op)} name={op.name} provenance={op.provenance}>
              <OperationDetails op={op} />
            </OperationPanel>
          ))}
        </section>
      )}
      {waiting.length > 0 && (
        <section className={styles.part} aria-labelledby="waiting">
          <h2 id="waiting">{t('group.waiting')}</h2>
          <p className={styles.muted}>{t('group.waitingText')}</p>
          {waiting.map(({ route, name, facts }) => (
            <OperationPanel key={route} route={route} name={name}>
              <WaitingDetails facts={facts} />
            </OperationPanel>
          ))}
        </section>
      )}
    </Page>
  )
}

function Unknown({ id }: { id: string }) {
  const { t } = useTranslation('reference')
  return <Page title={t('unknown.title')} intro={t('unknown.text', { id })} actions={<Back />} />
}

function Back() {
  const { t } = useTranslation('reference')
  return (
    <Link to={paths.reference()} className={styles.back}>
      <IconArrowLeft size={16} stroke={1.8} aria-hidden /> {t('group.back')}
    </Link>
  )
}
