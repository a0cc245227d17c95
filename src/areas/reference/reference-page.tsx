import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { apiRuntime } from '#src/api/runtime.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { groupTitle } from '#src/lib/group-title.ts'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'
import { SearchField } from '#src/ui/toolbar.tsx'
import { anchorOf, type ReferenceGroup, referenceGroups, routeOf, totals } from './catalogue.ts'
import styles from './reference.module.css'
import { RouteName } from './route-name.tsx'

export const pagePath = '/reference'
export const handle = { title: 'reference:title' }

/** API reference: all groups by area, with a search for groups and operations. */
export function Component() {
  const { t } = useTranslation('reference')
  const [params, setParams] = useSearchParams()
  const fromUrl = params.get('q') ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  // The URL lags behind typing; keep the input until both match.
  if (typed !== null && typed === fromUrl) setTyped(null)
  const text = typed ?? fromUrl
  const found = search(referenceGroups, useDeferredValue(text))
  const areas = [...new Set(found.map(({ group }) => group.area))]

  const handleFilter = (value: string) => {
    setTyped(value)
    setParams(value === '' ? {} : { q: value }, { replace: true, preventScrollReset: true })
  }

  return (
    <Page
      title={t('title')}
      intro={t('intro', totals)}
      actions={<a href={`${apiRuntime().baseUrl}/openapi.json`}>{t('openapi')}</a>}
    >
      <HelpLinkLater article="server/api" />
      <div className={styles.filter}>
        <SearchField
          label={t('filter.label')}
          isLabelHidden={false}
          placeholder={t('filter.placeholder')}
          value={text}
          onChange={handleFilter}
        />
        <output className={styles.muted}>
          {found.length > 0 ? t('filter.found', { count: found.length }) : t('filter.nothing')}
        </output>
      </div>
      {areas.map((area) => (
        <section key={area} className={styles.area}>
          <h2>
            {t(`area.${area}`)} <code className={styles.muted}>{area}</code>
          </h2>
          <ul className={styles.groups}>
            {found
              .filter(({ group }) => group.area === area)
              .map((match) => (
                <GroupCard key={match.group.id} match={match} />
              ))}
          </ul>
        </section>
      ))}
    </Page>
  )
}

function GroupCard({ match: { group, operations } }: { match: Match }) {
  const { t } = useTranslation('reference')
  const { id, title, served, waiting } = group
  return (
    <li className={styles.group} data-served={served.length > 0 || undefined}>
      <Link to={paths.referenceGroup(id)} className={styles.groupLink}>
        <span lang="en" className={styles.groupTitle}>
          {groupTitle(title)}
        </span>
        <code className={styles.muted}>{id}</code>
      </Link>
      <p className={styles.counts}>
        {served.length > 0 && <span className={styles.served}>{t('count.served', { count: served.length })}</span>}
        {waiting.length > 0 && <span>{t('count.waiting', { count: waiting.length })}</span>}
      </p>
      {operations.length > 0 && (
        <ul className={styles.hits}>
          {operations.map(({ route, name }) => (
            <li key={route}>
              <Link to={`${paths.referenceGroup(id)}#${anchorOf(route)}`}>
                <RouteName route={route} />
              </Link>
              {name && <span lang="en"> {name}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

// Search for groups and operations.

interface Match {
  readonly group: ReferenceGroup
  /** Operations that match all search terms; empty when the group itself matches. */
  readonly operations: readonly { readonly route: string; readonly name: string | undefined }[]
}

/**
 * Groups with all search terms in their id or title, and groups with matching operations.
 * @param text search input; empty matches everything
 */
export function search(groups: readonly ReferenceGroup[], text: string): Match[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const hasAll = (hay: string) => words.every((word) => hay.toLowerCase().includes(word))
  return groups.flatMap((group) => {
    const own = `${group.id} ${group.title} ${groupTitle(group.title)}`
    if (hasAll(own)) return [{ group, operations: [] }]
    const operations = [
      ...group.served.map((op) => ({ route: routeOf(op), name: op.name })),
      ...group.waiting.map(({ route, name }) => ({ route, name })),
    ].filter(({ route, name }) => hasAll(`${own} ${route} ${name ?? ''}`))
    return operations.length > 0 ? [{ group, operations }] : []
  })
}
